import type { Step } from "../turn-record.ts";

/** The message of a commit or a pull request: the agent's own description of finished work. */
export interface Commit {
  subject: string;
  /** Paragraphs and list items, without trailers. Empty if the message has only a subject. */
  body: string;
}

const pullRequest = /\bgh +pr +create\b/;
const prTitle = /--title[= ]\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)')/;
/** Sections of a pull request that say how it was checked. */
const checks = /^#{1,4} +(?:test|testing|verification|checklist|how to test|screenshots?|review)\b/i;
const gitCommit = /\bgit\b(?: +-\S+(?: +(?!commit\b|-)\S+)?)* +commit\b/;
const heredocOpening = /<<-?[ \t]*(['"]?)(\w+)\1[^\n]*\n/;
const quoted =
  /(?:^|\s)(?:-[a-z]*m|--message)[= ]\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\$'((?:[^'\\]|\\.)*)')/g;
const trailer =
  /^\s*(?:[A-Z][\w-]*-(?:by|with|checkpoint|session|id|to|from)\b.*:|(?:fixes|closes|resolves|refs?|part of)[: ]+#?\S+\s*$|🤖|generated (?:with|by)\b|Change-Id:)/i;

/** Longer commands are cut: the patterns above may take quadratic time. */
const maxCommand = 20_000;

/** The commits and pull requests that a turn made, each once. */
export function listCommits(steps: readonly Step[]): Commit[] {
  const commits = new Map<string, Commit>();
  for (const step of steps) {
    if (step.kind !== "tool" || step.toolKind !== "run" || step.failed) continue;
    const command = step.target.slice(0, maxCommand);
    const commit = readCommit(command) ?? readPullRequest(command);
    if (commit) commits.set(commit.subject, commit);
  }
  return [...commits.values()];
}

/** Reads the message of `git commit` from a shell command: `-m` options or a here-document. */
function readCommit(command: string): Commit | undefined {
  const at = command.search(gitCommit);
  if (at < 0) return undefined;
  const call = command.slice(at);
  const document = readHeredoc(call) ?? (/\s(?:-F|--file)\b/.test(call) ? readHeredoc(command) : undefined);
  const message =
    document ??
    [...call.matchAll(quoted)]
      .map(([, double, single, ansi]) => unescape(double ?? single ?? ansi ?? ""))
      .join("\n\n");
  const [subject = "", ...rest] = message.trim().split("\n");
  if (!/\p{L}{3}/u.test(subject) || subject.startsWith("$")) return undefined;
  return { subject: subject.trim(), body: unwrap(rest.filter((line) => !trailer.test(line))) };
}

function readPullRequest(command: string): Commit | undefined {
  const at = command.search(pullRequest);
  if (at < 0) return undefined;
  const call = command.slice(at);
  const [, double, single] = prTitle.exec(call) ?? [];
  const subject = unescape(double ?? single ?? "").trim();
  const lines = (readHeredoc(call) ?? "").split("\n");
  const end = lines.findIndex((line) => checks.test(line.trim()));
  const body = lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => !trailer.test(line) && !line.trim().startsWith("#"));
  return /\p{L}{3}/u.test(subject) ? { subject, body: unwrap(body) } : undefined;
}

/** The text of the first here-document, if it is closed. */
function readHeredoc(command: string): string | undefined {
  const [opening, , mark] = heredocOpening.exec(command) ?? [];
  if (opening === undefined) return undefined;
  const lines = command.slice(command.indexOf(opening) + opening.length).split("\n");
  const end = lines.findIndex((line) => line.trimStart().split(/\W/, 1)[0] === mark);
  return end < 0 ? undefined : lines.slice(0, end).join("\n");
}

function unescape(text: string): string {
  return text.replace(/\\n/g, "\n").replace(/\\(["\\$`'])/g, "$1");
}

/** Joins lines that were wrapped at a fixed width; list items stay on lines of their own. */
function unwrap(lines: readonly string[]): string {
  const joined: string[] = [];
  for (const line of lines) {
    const isNew =
      line.trim() === "" ||
      /^\s*(?:[-*+•]|\d{1,2}[.)])\s|^\s*#{1,4} /.test(line) ||
      (joined.at(-1) ?? "") === "";
    if (isNew) joined.push(line.trim());
    else joined.push(`${joined.pop()} ${line.trim()}`);
  }
  return joined
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
