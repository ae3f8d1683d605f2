import { existsSync } from "node:fs";
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
  if (!existsSync(home.database)) return { pids: [], sections: [] };
  try {
    if (!dryRun) await ensureDaemon({ ...startOptions, timeoutMs: startMs });
    const { sessions } = await callDaemon<NowView>(address, { path: "/api/now" });
    const { projects } = await callDaemon<FolderFilesView>(address, { path: "/api/folders" });
    return { pids: [...new Set(sessions.flatMap(({ pid }) => pid ?? []))], sections: projects };
  } catch {
    return { pids: [], sections: [] }; // Leaving must work without it.
  }
}
