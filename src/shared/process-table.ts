import { execFile } from "node:child_process";
import { basename } from "node:path";
import { readArguments, readProcessEnvironment, readStat } from "./processes.ts";

export interface ProcessFacts {
  parentPid: number;
  name: string;
  args: string[];
  /** Undefined where the system does not show it. */
  environment: Record<string, string> | undefined;
  /** The controlling terminal. */
  terminal: string | undefined;
}

/** Looks up a process by its id. */
export type ProcessTable = (pid: number) => ProcessFacts | undefined;

const maxAncestors = 64;

/**
 * A process, its parent, and so on up to init. An entry without facts is a process that could not be read or is beyond
 * the maximum depth. The walk ends there, and further ancestors are unknown.
 */
export function* listAncestry(
  pid: number,
  readProcess: ProcessTable,
): Generator<{ pid: number; facts: ProcessFacts | undefined }> {
  for (let next = pid, steps = 0; next > 1; steps++) {
    const facts = steps < maxAncestors ? readProcess(next) : undefined;
    yield { pid: next, facts };
    if (!facts) return;
    next = facts.parentPid;
  }
}

/** Reads /proc on Linux, and the output of `ps` elsewhere. Rejects if there is neither. */
export async function openProcessTable(platform: NodeJS.Platform = process.platform): Promise<ProcessTable> {
  if (platform === "linux") return readFromProc;
  const [names, commands] = await Promise.all([
    runProgram("ps", ["-axo", "pid=,ppid=,tty=,comm="]),
    runProgram("ps", ["-axEww", "-o", "pid=,command="]),
  ]);
  return readFromPs(names, commands);
}

function readFromProc(pid: number): ProcessFacts | undefined {
  const stat = readStat(pid);
  if (!stat) return undefined;
  const { parentPid, name, tty } = stat;
  return {
    parentPid,
    name,
    args: readArguments(pid) ?? [],
    environment: readProcessEnvironment(pid),
    terminal: tty === 0 ? undefined : String(tty),
  };
}

/**
 * From `ps -o pid=,ppid=,tty=,comm=` and `ps -E -o pid=,command=`, which appends the environment to the command. macOS hides
 * the environment of its own programs: an empty one does not mean that there is none.
 */
export function readFromPs(names: string, commands: string): ProcessTable {
  const commandOf = new Map(
    [...commands.matchAll(/^\s*(\d+)\s+(.*)$/gm)].map(([, pid, command = ""]) => [Number(pid), command]),
  );
  const processes = new Map(
    [...names.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)].map(
      ([, pid, parentPid, tty = "", program = ""]) => {
        const { args, environment } = splitCommand(program, commandOf.get(Number(pid)) ?? "");
        // `??` on macOS, `?` elsewhere, `-` in some versions.
        const terminal = /^[?-]+$/.test(tty) ? undefined : tty;
        const name = basename(program);
        return [Number(pid), { parentPid: Number(parentPid), name, args, environment, terminal }];
      },
    ),
  );
  return (pid) => processes.get(pid);
}

/** `program` may contain spaces, so it is cut off before the arguments are split. */
function splitCommand(program: string, command: string): Pick<ProcessFacts, "args" | "environment"> {
  const rest = command.startsWith(`${program} `) ? command.slice(program.length) : command;
  const environmentAt = rest.search(/\s[A-Za-z_]\w*=/);
  const words = (environmentAt < 0 ? rest : rest.slice(0, environmentAt)).split(/\s+/).filter(Boolean);
  const variables = environmentAt < 0 ? "" : rest.slice(environmentAt);
  return {
    args: rest === command ? words : [program, ...words],
    environment: Object.fromEntries(
      [...variables.matchAll(/\s([A-Za-z_]\w*)=(\S*)/g)].map(([, name = "", value = ""]) => [name, value]),
    ),
  };
}

/** The output of a program; rejects if it fails or is not installed. */
export function runProgram(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 5_000, maxBuffer: 16_000_000 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });
}
