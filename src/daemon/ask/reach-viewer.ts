import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Bus } from "../bus.ts";
import type { Presence, Reach } from "./reach.ts";

const hereMs = 60_000;

/** The person is reached by an open viewer, and is here as long as the last prompt is fresh. */
export function openViewerReach(deps: { bus: Bus; log: Log; clock: Clock; always: boolean }): {
  reach: Reach;
  presence: Presence;
  countViewer(): () => void;
} {
  const { bus, log, clock, always } = deps;
  let viewers = 0;
  let promptedAt = 0;
  bus.subscribe(({ event }) => {
    if (event.type === "event.stored" && event.event === "UserPromptSubmit") promptedAt = clock();
  });
  return {
    reach: {
      start() {},
      stop: () => Promise.resolve(),
      canReach: () => always || viewers > 0,
      notify: ({ kind, level, headline }) => log.info("notice", { kind, level, headline }),
    },
    presence: {
      isHere: () => clock() - promptedAt < hereMs,
      reason: () => `last prompt ${Math.round((clock() - promptedAt) / 1000)} s ago`,
    },
    countViewer() {
      viewers++;
      return () => void viewers--;
    },
  };
}
