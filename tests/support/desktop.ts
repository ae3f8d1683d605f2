import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A fake notify-send that records its arguments, one file per call. */
export interface FakeDesktop {
  /** For the PATH. */
  folder: string;
  /** Arguments of every call, oldest first. */
  calls(): string[][];
  /** Makes every call fail, or work again. */
  fail(isFailing: boolean): void;
  remove(): void;
}

export function openFakeDesktop(folder: string): FakeDesktop {
  const program = join(folder, "notify-send");
  const calls = join(folder, "calls");
  const broken = join(folder, "broken");
  mkdirSync(calls, { recursive: true });
  const script = `#!/bin/sh
[ -e '${broken}' ] && { echo 'no notification daemon' >&2; exit 1; }
printf '%s\\0' "$@" >'${calls}/'$$.part && mv '${calls}/'$$.part '${calls}/'$(printf %04d $(ls '${calls}' | wc -l)).$$
`;
  const desktop: FakeDesktop = {
    folder,
    calls: () =>
      readdirSync(calls)
        .filter((file) => !file.endsWith(".part"))
        .toSorted()
        .map((file) => readFileSync(join(calls, file), "utf8").split("\0").slice(0, -1)),
    fail(isFailing) {
      if (isFailing) writeFileSync(broken, "");
      else {
        rmSync(broken, { force: true });
        writeFileSync(program, script, { mode: 0o755 });
      }
    },
    remove: () => rmSync(program, { force: true }),
  };
  desktop.fail(false);
  return desktop;
}
