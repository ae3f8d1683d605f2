import { renameSync, writeFileSync } from "node:fs";
import type { DaemonFile } from "../../protocol/api.ts";

/** Put in place whole: it is read while it is written. */
export function writeDaemonFile(path: string, about: DaemonFile): void {
  writeFileSync(`${path}.next`, `${JSON.stringify(about)}\n`, { mode: 0o600 });
  renameSync(`${path}.next`, path);
}
