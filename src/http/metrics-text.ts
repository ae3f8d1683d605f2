import type { StatusReport } from "../protocol/status.ts";

/** Prometheus text exposition of the status report. */
export function formatMetrics(report: StatusReport): string {
  const lines: string[] = [];
  const family = (
    name: string,
    type: "gauge" | "counter",
    help: string,
    samples: [Record<string, string>, number][],
  ): void => {
    lines.push(`# HELP rookery_${name} ${help}`, `# TYPE rookery_${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`rookery_${name}${formatLabels(labels)} ${value}`);
  };
  const one = (value: number): [Record<string, string>, number][] => [[{}, value]];

  family("up", "gauge", "1 while capture runs, 0 while it is paused.", one(report.status === "ok" ? 1 : 0));
  family("uptime_seconds", "gauge", "Seconds since this daemon started.", one(report.uptimeMs / 1000));
  family("resident_memory_bytes", "gauge", "Resident set size of the daemon.", one(report.rssBytes));
  family("database_bytes", "gauge", "Size of the database file.", one(report.database.bytes));
  family("database_wal_bytes", "gauge", "Size of the write-ahead log.", one(report.database.walBytes));
  family("spool_files", "gauge", "Event files waiting in the spool.", one(report.spool.files));
  family("spool_bytes", "gauge", "Size of the event files waiting in the spool.", one(report.spool.bytes));
  family("queue_events", "gauge", "Events received but not yet committed.", one(report.queue));
  family("sessions_active", "gauge", "Sessions running now.", one(report.sessions.active));
  family("questions_open", "gauge", "Questions waiting for a person.", one(report.questions));
  family(
    "rejected_total",
    "counter",
    "Files set aside because they were not events.",
    one(report.counts.rejected),
  );
  family(
    "events_total",
    "counter",
    "Events stored since this daemon started.",
    Object.entries(report.counts.events).map(([key, value]) => {
      const [event = "", via = ""] = key.split(" ");
      return [{ event, via }, value];
    }),
  );
  family(
    "deliveries",
    "gauge",
    "Deliveries by state.",
    Object.entries(report.deliveries).map(([state, value]) => [{ state }, value]),
  );
  family("model_calls_today", "gauge", "Model calls since midnight.", one(report.model.today.calls));
  family("model_tokens_today", "gauge", "Tokens spent since midnight.", one(report.model.today.tokens));
  family("model_usd_today", "gauge", "US dollars spent since midnight.", one(report.model.today.usd));
  family("model_waiting", "gauge", "Turns waiting for a model.", one(report.model.waiting));
  family(
    "hook_latency_milliseconds",
    "gauge",
    "Time from the hook's first line to our reply, over the last 512 hooks.",
    Object.entries(report.hooks).flatMap(([event, { p50Ms, p95Ms }]) => [
      [{ event, quantile: "0.5" }, p50Ms] as [Record<string, string>, number],
      [{ event, quantile: "0.95" }, p95Ms] as [Record<string, string>, number],
    ]),
  );
  return `${lines.join("\n")}\n`;
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, "_")}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
