import type { HealthSample, SeriesView } from "../../protocol/viewer.ts";
import type { Load } from "../../protocol/status.ts";
import { repeat } from "../runtime/repeat.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Samples of the daemon's own health; kept in memory only. */
export interface HealthSeries {
  view(): SeriesView;
  start(): void;
  stop(): void;
}

interface HealthSeriesDeps extends Pick<DaemonContext, "clock" | "log"> {
  load(): Load;
  /** Hook latencies since the last call. */
  takeLatencies(): number[];
}

const everyMs = 10_000;
/** Six hours. */
const maxSamples = 2_160;

export function openHealthSeries({ clock, log, load, takeLatencies }: HealthSeriesDeps): HealthSeries {
  const samples: HealthSample[] = [];
  let timer: { stop(): void } | undefined;

  function takeSample(): void {
    const { queue, spool, database, rssBytes } = load();
    const latencies = takeLatencies().toSorted((a, b) => a - b);
    samples.push({
      at: clock(),
      hooks: latencies.length,
      hookP50Ms: quantile(latencies, 0.5),
      hookP95Ms: quantile(latencies, 0.95),
      queue,
      spoolFiles: spool.files,
      spoolBytes: spool.bytes,
      databaseBytes: database.bytes + database.walBytes,
      rssBytes,
    });
    if (samples.length > maxSamples) samples.shift();
  }

  return {
    view: () => ({ everyMs, samples }),
    start() {
      takeSample();
      timer = repeat(everyMs, takeSample, log);
    },
    stop: () => timer?.stop(),
  };
}

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 10) / 10;
}
