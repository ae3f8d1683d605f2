import { existsSync, readFileSync } from "node:fs";
import { callDaemon } from "../../client/request.ts";
import { ensureDaemon } from "../../client/start.ts";
import type { FolderFilesView } from "../../protocol/care.ts";
import type { NowView } from "../../protocol/viewer.ts";
import type { CliContext } from "../command.ts";

/** What only the daemon knows, and whoever leaves has to know. */
export interface Running {
  /** Of the sessions that live now: their hooks go on firing. */
  pids: number[];
  sections: FolderFilesView["projects"];
}

const startMs = 5_000;

/** Starts a daemon for it if none runs, unless nothing may change. One that does not start cannot tell: then nothing runs. */
export async function askWhatRuns(
  { home, address, startOptions }: CliContext,
  dryRun: boolean,
): Promise<Running> {
  const left = readLeft(home.left);
  if (!existsSync(home.database)) return { pids: left, sections: [] };
  try {
    if (!dryRun) await ensureDaemon({ ...startOptions, timeoutMs: startMs });
    const { sessions } = await callDaemon<NowView>(address, { path: "/api/now" });
    const { projects } = await callDaemon<FolderFilesView>(address, { path: "/api/folders" });
    const pids = new Set([...left, ...sessions.flatMap(({ pid }) => pid ?? [])]);
    return { pids: [...pids], sections: projects };
  } catch {
    return { pids: left, sections: [] }; // Leaving must work without it.
  }
}

/** Those of an earlier uninstall that live still. */
function readLeft(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split(" ").map(Number).filter(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // It is over.
  }
}
