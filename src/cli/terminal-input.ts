import { AppError } from "../shared/errors.ts";

/** Asks the user on the terminal; `isHidden` does not echo the input. */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
  // Loaded on demand: most commands ask nothing.
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isHidden) process.stderr.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? silence : process.stderr,
    terminal: true,
  });
  try {
    return (await lines.question(isHidden ? "" : question)).trim();
  } catch (cause) {
    throw new AppError("invalid_argument", "No answer. Nothing was changed.", { cause });
  } finally {
    lines.close();
    if (isHidden) process.stderr.write("\n");
  }
}

/** Resolves when Enter is pressed or the signal aborts. */
export function waitForEnter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      process.stdin.off("data", done).pause();
      signal.removeEventListener("abort", done);
      resolve();
    };
    // `resume`, because an earlier wait has paused stdin.
    process.stdin.once("data", done).resume();
    signal.addEventListener("abort", done);
  });
}
