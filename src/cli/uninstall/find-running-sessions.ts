import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAnswering } from "../../client/discover.ts";
import { callEndpoint } from "../../client/request.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { FolderChange, FolderFilesView, OfflineView } from "../../protocol/care.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { isProcessAlive } from "../../shared/processes.ts";
import type { CliContext } from "../command.ts";
import { runCommand } from "../run-command.ts";

/** Facts from the store that an uninstall needs. */
export interface RunningSessions {
  /** Processes of live sessions; their hooks still fire. */
  pids: number[];
  sections: FolderFilesView["projects"];
  /** Removes our sections from the project with this checkout. */
  removeSections(root: string): Promise<{ changes: FolderChange[] }>;
}

const readMs = 10_000;
const cleanMs = 60_000;

/** Asks a running daemon, or reads the store directly; never starts a daemon. Errors count as no data: uninstall must work. */
export async function findRunningSessions(context: CliContext): Promise<RunningSessions> {
  const { home, address } = context;
  const left = readLeft(home.orphanedSessions);
  const source = (await isAnswering(address)) ? fromDaemon(context) : fromStore(context);
  try {
    if (!existsSync(home.database)) return { pids: left, sections: [], removeSections: source.clean };
    const { pids, projects } = await source.read();
    return { pids: [...new Set([...left, ...pids])], sections: projects, removeSections: source.clean };
  } catch {
    return { pids: left, sections: [], removeSections: source.clean };
  }
}

interface Source {
  read(): Promise<OfflineView>;
  clean: RunningSessions["removeSections"];
}

function fromDaemon({ address }: CliContext): Source {
  return {
    async read() {
      const { sessions } = await callEndpoint(address, viewerEndpoints.getNow);
      const { projects } = await callEndpoint(address, careEndpoints.listFolderFiles);
      return { pids: sessions.flatMap(({ pid }) => pid ?? []), projects };
    },
    clean(root) {
      const body = { action: "clean", folder: root } as const;
      return callEndpoint(address, careEndpoints.changeFolders, { body, timeoutMs: cleanMs });
    },
  };
}

/** In a separate process: the CLI never opens the database. */
function fromStore({ pluginRoot, home, startOptions: { environment } }: CliContext): Source {
  async function run<T>(args: string[], timeoutMs: number): Promise<T> {
    const script = join(pluginRoot, "dist", "leave.js");
    const flags = ["--disable-warning=ExperimentalWarning", script];
    const ran = await runCommand(process.execPath, [...flags, ...args], { environment, timeoutMs });
    if (ran.code === 0) return parseJson(ran.stdout) as T;
    throw new AppError("internal", ran.stderr.trim().split("\n").at(-1) || `${script} failed`);
  }
  return {
    read: () => run(["look", home.database], readMs),
    clean: (root) => run(["clean", home.database, root], cleanMs),
  };
}

/** Pids of an earlier uninstall that are still running. */
function readLeft(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split(" ").map(Number).filter(isProcessAlive);
}
