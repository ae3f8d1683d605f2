/** Counters and latencies since this daemon started; `status` and `/api/metrics` read them. */
export interface Metrics {
  countEvent(event: string, via: string): void;
  countRejected(): void;
  /** An event that its hook could not write. */
  countUnspooled(): void;
  /** From the hook's first line to our answer, by the hook's own clock. */
  recordHookTime(event: string, ms: number): void;
  latencies(): Record<string, Latency>;
  /** The latencies since the last call. */
  takeLatencies(): number[];
  counts(): { events: Record<string, number>; rejected: number; unspooled: number };
}

interface Latency {
  count: number;
  p50Ms: number;
  p95Ms: number;
}

const sampleSize = 512;
const maxSinceTaken = 10_000;

export function openMetrics(): Metrics {
  const events: Record<string, number> = {};
  const samples = new Map<string, { count: number; recent: number[] }>();
  let rejected = 0;
  let unspooled = 0;
  let sinceTaken: number[] = [];
  return {
    countEvent(event, via) {
      const key = `${event} ${via}`;
      events[key] = (events[key] ?? 0) + 1;
    },
    countRejected() {
      rejected++;
    },
    countUnspooled() {
      unspooled++;
    },
    recordHookTime(event, ms) {
      let sample = samples.get(event);
      if (!sample) samples.set(event, (sample = { count: 0, recent: [] }));
      sample.recent[sample.count++ % sampleSize] = ms;
      if (sinceTaken.length < maxSinceTaken) sinceTaken.push(ms);
    },
    latencies() {
      return Object.fromEntries(
        [...samples].map(([event, { count, recent }]) => {
          const sorted = recent.toSorted((a, b) => a - b);
          const at = (share: number): number =>
            round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
          return [event, { count, p50Ms: at(0.5), p95Ms: at(0.95) }];
        }),
      );
    },
    takeLatencies() {
      const taken = sinceTaken;
      sinceTaken = [];
      return taken;
    },
    counts: () => ({ events, rejected, unspooled }),
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
