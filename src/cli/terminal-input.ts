import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { AppError } from "../shared/errors.ts";

/** Puts a question to whoever sits at the terminal. What they type is not shown where it is a secret. */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
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
    throw new AppError("invalid_argument", "Nothing was answered, and nothing was changed.", { cause });
  } finally {
    lines.close();
    if (isHidden) process.stderr.write("\n");
  }
}

/** Until Enter is pressed, or until nobody needs to any more. */
export function waitForEnter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      process.stdin.off("data", done).pause();
      signal.removeEventListener("abort", done);
      resolve();
    };
    process.stdin.once("data", done);
    signal.addEventListener("abort", done);
  });
}
