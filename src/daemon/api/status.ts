import type { ChannelView, PresenceView } from "../../protocol/reach.ts";
import type { HomeserverHealth, Load, MatrixStatus, StatusReport } from "../../protocol/status.ts";
import type { Build } from "../../shared/build.ts";
import type { Retention } from "../care/retention.ts";
import type { HookQuestions } from "../ask/hook-questions.ts";
import type { Hub } from "../hub/open-hub.ts";
import type { EmbeddedHomeserver } from "../matrix/homeserver.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { Embeddings } from "../memory/embeddings.ts";
import type { Model } from "../memory/model.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Spool } from "../capture/spool.ts";
import type { Waker } from "../delivery/waker.ts";
import { fileSize } from "../../shared/regular-file.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface StatusDeps extends Pick<DaemonContext, "home" | "store" | "clock"> {
  build: Build;
  spool: Spool;
  ingest: Ingest;
  metrics: Metrics;
  waker: Pick<Waker, "count">;
  retention: Pick<Retention, "state">;
  model: Pick<Model, "report">;
  embeddings: Pick<Embeddings, "report">;
  asking: Pick<HookQuestions, "count">;
  hub: Pick<Hub, "summarize">;
  startedAt: number;
  presence(): PresenceView;
  channels(): ChannelView[];
  url(): string;
  homeserver: EmbeddedHomeserver | undefined;
  /** The problem with a homeserver other than the embedded one: empty if it works, undefined if none is used. */
  homeserverTrouble(): string | undefined;
  unconfirmedSettings(): string[];
}

interface StatusReporter {
  /** Everything that `rookery status` shows. Uses cheap sources only: it may be called every second. */
  report(): Promise<StatusReport>;
  load(): Load;
}

export function makeStatusReporter(deps: StatusDeps): StatusReporter {
  const { home, build, store, spool, ingest, metrics } = deps;

  function load(): Load {
    return {
      rssBytes: process.memoryUsage.rss(),
      database: {
        bytes: fileSize(home.database),
        walBytes: fileSize(`${home.database}-wal`),
        setAside: store.damagedCopy ?? null,
      },
      spool: { ...spool.measure(), rejected: spool.rejectedCount() },
      queue: ingest.queueLength(),
    };
  }

  async function report(): Promise<StatusReport> {
    const paused = ingest.pauseReason();
    return {
      status: paused ? "paused" : "ok",
      ...(paused ? { reason: paused } : {}),
      version: build.version,
      build: build.build,
      pid: process.pid,
      home: home.root,
      url: deps.url(),
      uptimeMs: deps.clock() - deps.startedAt,
      ...load(),
      events: store.events.total(),
      sessions: countSessions(store),
      agents: store.agents.all().length,
      monitors: deps.waker.count(),
      waiting: deps.asking.count(),
      questions: store.questions.countOpen(),
      deliveries: store.deliveries.countByState(),
      retention: deps.retention.state(),
      presence: deps.presence(),
      channels: deps.channels(),
      outbox: store.outbox.counts(),
      matrix: await describeMatrix(deps),
      homeserver: deps.homeserver?.health() ?? describeForeign(deps.homeserverTrouble()),
      hub: deps.hub.summarize(),
      hooks: metrics.latencies(),
      model: deps.model.report(),
      embeddings: deps.embeddings.report(),
      unconfirmedSettings: deps.unconfirmedSettings(),
      counts: metrics.counts(),
    };
  }

  return { report, load };
}

function countSessions(store: StatusDeps["store"]): StatusReport["sessions"] {
  const active = store.sessions.active();
  const groups = Object.entries(Object.groupBy(active, ({ host }) => host));
  const hosts = Object.fromEntries(groups.map(([host, rows]) => [host, rows?.length ?? 0]));
  return { active: active.length, total: store.sessions.total(), hosts };
}

function describeForeign(trouble: string | undefined): HomeserverHealth | null {
  if (trouble === undefined) return null;
  return { state: trouble ? "failed" : "ready", stalls: 0, trouble };
}

/** Null if the homeserver is busy or starting: the status must not wait for it. */
async function describeMatrix({ homeserver, home }: StatusDeps): Promise<MatrixStatus | null> {
  const port = homeserver?.port();
  if (!homeserver || port === undefined) return null;
  try {
    const late = new Promise<null>((resolve) => void setTimeout(resolve, 500, null).unref());
    const stats = await Promise.race([homeserver.stats(), late]);
    return stats && { ...stats, url: `http://127.0.0.1:${port}/`, bytes: fileSize(home.matrixDatabase) };
  } catch {
    return null; // It has just ended; the log has the reason.
  }
}
