import { basename } from "node:path";
import { listAncestry, type ProcessFacts, type ProcessTable } from "../shared/process-table.ts";
import { hostRows } from "./marks.ts";

/** The origin of a process: a coding agent, a person, or unknown. */
type Origin = { kind: "agent" | "unknown"; why: string } | { kind: "person" };

const interpreter = /^(?:node|nodejs|bun|deno)$/;

/** Checks a process and all its ancestors for the marks of every host, and for the processes of known sessions. */
export function traceOrigin(
  pid: number,
  readProcess: ProcessTable,
  sessionPids: ReadonlySet<number> = new Set(),
): Origin {
  for (const { pid: next, facts } of listAncestry(pid, readProcess)) {
    if (!facts) return { kind: "unknown", why: `process ${next} cannot be inspected` };
    if (sessionPids.has(next))
      return { kind: "agent", why: `process ${pid} runs under the agent of a session (process ${next})` };
    const mark = findMark(facts);
    if (mark) return { kind: "agent", why: describeMark(pid, next, mark) };
    // Ancestors of other users (sshd, login) hide their environment; the caller itself must not.
    if (next === pid && !facts.environment)
      return { kind: "unknown", why: `the environment of process ${pid} cannot be read` };
  }
  return { kind: "person" };
}

interface Mark {
  label: string;
  variable?: string;
}

function findMark(facts: Pick<ProcessFacts, "name" | "args" | "environment">): Mark | undefined {
  return findVariable(facts.environment ?? {}) ?? findProgram(facts);
}

/** The first variable of a host that is set and not empty. */
export function findVariable(environment: Readonly<Record<string, string | undefined>>): Mark | undefined {
  for (const host of hostRows) {
    const variable = host.environment.find((name) => environment[name]);
    if (variable) return { label: host.label, variable };
  }
  return undefined;
}

function findProgram({ name, args }: Pick<ProcessFacts, "name" | "args">): Mark | undefined {
  const [program = "", ...rest] = args;
  const isInterpreter = interpreter.test(basename(program));
  const script = isInterpreter ? (rest.find((arg) => !arg.startsWith("-")) ?? "") : "";
  const names = [name, basename(program), basename(script)];
  // Options of the interpreter may come first, so every argument is checked for the path.
  const paths = isInterpreter ? args : [program];
  return hostRows.find(
    ({ processNames, scriptPaths }) =>
      processNames.some((known) => names.includes(known)) ||
      scriptPaths.some((known) => paths.some((path) => path.replaceAll("\\", "/").includes(known))),
  );
}

function describeMark(pid: number, marked: number, { label, variable }: Mark): string {
  const sign = variable && `${variable} is set`;
  if (marked === pid) return `process ${pid} was started by ${label} (${sign ?? "its program"})`;
  return `process ${pid} runs under ${label} (process ${marked}${sign ? `, ${sign}` : ""})`;
}
