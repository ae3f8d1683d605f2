import type { CliContext } from "./command.ts";
import { formatDuration } from "./format.ts";

const barWidth = 24;
const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Shorter waits show no progress. */
const showAfterMs = 400;
const frameMs = 120;

/** A progress bar; `share` is from 0 to 1. */
export function formatProgressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(share * 100)} %`;
}

/** Shows a spinner and the elapsed time while `work` runs. */
export async function showSpinner<T>(
  { drawProgress }: CliContext,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let frame = 0;
  const timer = setInterval(() => {
    const ms = performance.now() - startedAt;
    if (ms > showAfterMs) drawProgress(`${frames[frame++ % frames.length]} ${what} … ${formatDuration(ms)}`);
  }, frameMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    drawProgress("");
  }
}
