import { type Backoff, backoffMs } from "./backoff.ts";

/** Decides when to restart a component that exited. */
interface RestartPolicy {
  /** The pause before the next start; undefined if it has failed too often. */
  nextPauseMs(aliveMs: number): number | undefined;
  hasGivenUp(): boolean;
  reset(): void;
}

const maxRestarts = 5;
/** The failure count is reset after the component has run this long. */
const healthyMs = 60_000;

export function makeRestartPolicy(backoff: Backoff = { firstMs: 1_000, maxMs: 30_000 }): RestartPolicy {
  let failures = 0;
  return {
    nextPauseMs(aliveMs) {
      failures = aliveMs > healthyMs ? 1 : failures + 1;
      return failures > maxRestarts ? undefined : backoffMs(failures, backoff);
    },
    hasGivenUp: () => failures > maxRestarts,
    reset() {
      failures = 0;
    },
  };
}
