import type { Log } from "../../shared/log.ts";
import { repeat } from "./repeat.ts";

const checkMs = 5_000;

export interface HomeWatch {
  start(): void;
  stop(): void;
}

/**
 * Detects a home that was deleted or replaced. The daemon then exits immediately and writes no files: the path may now
 * belong to another daemon.
 */
export function openHomeWatch(isInPlace: () => boolean, onGone: () => void, log: Log): HomeWatch {
  let timer: { stop(): void } | undefined;

  function check(): void {
    if (isInPlace()) return;
    timer?.stop();
    onGone();
  }

  return {
    start() {
      timer = repeat(checkMs, check, log);
    },
    stop: () => timer?.stop(),
  };
}
