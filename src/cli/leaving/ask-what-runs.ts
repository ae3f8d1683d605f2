import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAnswering } from "../../client/discover.ts";
import { callEndpoint } from "../../client/request.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { FolderChange, FolderFilesView, UnattendedView } from "../../protocol/care.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { isProcessAlive } from "../../shared/processes.ts";
import type { CliContext } from "../command.ts";
import { runCommand } from "../run-command.ts";

/** What only the store knows, and whoever leaves has to know. */
export interface Running {
  /** Of the sessions that live now: their hooks go on firing. */
  pids: number[];
  sections: FolderFilesView["projects"];
  /** Takes our sections out of the project with this checkout. */
  clean(root: string): Promise<{ changes: FolderChange[] }>;
}

const lookMs = 10_000;
const cleanMs = 60_000;

/** Of the daemon if one runs; none is started for it. What cannot be told is taken for nothing: leaving must work. */
export async function askWhatRuns(context: CliContext): Promise<Running> {
  const { home, address } = context;
  const left = readLeft(home.left);
  const source = (await isAnswering(address)) ? askDaemon(context) : askStore(context);
  try {
    if (!existsSync(home.database)) return { pids: left, sections: [], clean: source.clean };
    const { pids, projects } = await source.look();
    return { pids: [...new Set([...left, ...pids])], sections: projects, clean: source.clean };
  } catch {
    return { pids: left, sections: [], clean: source.clean };
  }
}

interface Source {
  look(): Promise<UnattendedView>;
  clean: Running["clean"];
}

function askDaemon({ address }: CliContext): Source {
  return {
    async look() {
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

/** In a process of its own: the command line never opens the database. */
function askStore({ pluginRoot, home, startOptions: { environment } }: CliContext): Source {
  async function run<T>(args: string[], timeoutMs: number): Promise<T> {
    const script = join(pluginRoot, "dist", "leave.js");
    const flags = ["--disable-warning=ExperimentalWarning", script];
    const ran = await runCommand(process.execPath, [...flags, ...args], { environment, timeoutMs });
    if (ran.code === 0) return parseJson(ran.stdout) as T;
    throw new AppError("internal", ran.stderr.trim().split("\n").at(-1) || `${script} failed`);
  }
  return {
    look: () => run(["look", home.database], lookMs),
    clean: (root) => run(["clean", home.database, root], cleanMs),
  };
}

/** Those of an earlier uninstall that live still. */
function readLeft(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split(" ").map(Number).filter(isProcessAlive);
}
