import type { HomeserverHealth } from "../protocol/status.ts";

/** Describes an unhealthy homeserver; undefined if it is healthy. */
export function describeHomeserverTrouble({ state, stalls, trouble }: HomeserverHealth): string | undefined {
  if (trouble) return `The homeserver cannot be used: ${trouble}`;
  if (state === "unresponsive")
    return "The homeserver does not respond. It will be restarted if this continues.";
  if (state === "failed") return "The homeserver failed repeatedly and was not started again.";
  if (stalls === 0) return undefined;
  return `The homeserver did not respond ${stalls === 1 ? "once" : `${stalls} times`} since the daemon started.`;
}
