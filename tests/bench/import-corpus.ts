import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Session {
  name: string;
  turns: { prompt: string; final?: string; steps?: Step[] }[];
}
interface Step {
  say?: string;
  tool?: string;
  input?: unknown;
  output?: string;
  error?: string;
}

const source = fileURLToPath(new URL("../fixtures/sessions/", import.meta.url));
const minuteMs = 60_000;
/** Lines that the host writes at the start of a session, as recorded. */
const hostLines = readFileSync(new URL("../fixtures/transcripts/tools.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .filter((line) => !/"type":"(?:user|assistant)"/.test(line));

/**
 * Writes the labelled sessions repeatedly in Claude Code's format, each time with other names, until the
 * size is reached. Outputs are extended to a realistic size of two to ten kilobytes.
 */
export function writeCorpus(claudeFolder: string, megabytes: number): void {
  const sessions = readdirSync(source)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(source, file), "utf8")) as Session);
  let size = 0;
  for (let copy = 0; size < megabytes * 1_000_000; copy++)
    for (const [index, session] of sessions.entries())
      size += writeSession(claudeFolder, session, copy, index);
}

function writeSession(claudeFolder: string, session: Session, copy: number, index: number): number {
  const sessionId = `corpus-${copy}-${index}`;
  const cwd = `/home/dev/project-${index % 12}`;
  const folder = join(claudeFolder, "projects", cwd.replaceAll("/", "-"));
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, `${sessionId}.jsonl`), "w");
  let lines = 0;
  let at = Date.parse("2026-10-01T08:00:00Z") + copy * 97 * minuteMs + index * minuteMs;
  let size = 0;
  const write = (line: object): void => {
    const facts = { sessionId, cwd, isSidechain: false, uuid: `${sessionId}-${lines++}` };
    const timestamp = new Date((at += 700)).toISOString();
    size += writeSync(file, `${JSON.stringify({ ...facts, timestamp, version: "2.1.325", ...line })}\n`);
  };
  for (const line of hostLines) size += writeSync(file, `${line}\n`);
  for (const [number, { prompt, final = "", steps = [] }] of session.turns.entries()) {
    const mark = `release${copy}n${number}`;
    const promptId = `${sessionId}-p${number}`;
    write({ type: "user", promptId, message: { role: "user", content: `${prompt} (${mark})` } });
    for (const [place, step] of steps.entries())
      writeStep(write, step, `toolu_${sessionId}_${number}_${place}`);
    const content = [{ type: "text", text: final && `${final} This was for ${mark}.` }];
    write({ type: "assistant", message: { id: `${promptId}-m`, stop_reason: "end_turn", content } });
  }
  closeSync(file);
  return size;
}

function writeStep(write: (line: object) => void, step: Step, id: string): void {
  if (step.say !== undefined) {
    const content = [{ type: "text", text: step.say }];
    write({ type: "assistant", message: { id: `${id}-m`, stop_reason: "tool_use", content } });
  }
  if (step.tool === undefined) return;
  const use = [{ type: "tool_use", id, name: step.tool, input: step.input ?? {} }];
  write({ type: "assistant", message: { id: `${id}-m`, stop_reason: "tool_use", content: use } });
  const output = drawOut(step.error ?? step.output ?? "");
  const isError = step.error === undefined ? {} : { is_error: true };
  const content = [{ type: "tool_result", tool_use_id: id, content: output, ...isError }];
  // The host records the original file with each edit.
  const isEdit = step.tool === "Edit" || step.tool === "Write";
  const about = isEdit ? { originalFile: "const value = compute(input);\n".repeat(400) } : { stderr: "" };
  write({ type: "user", message: { role: "user", content }, toolUseResult: { stdout: output, ...about } });
}

function drawOut(output: string): string {
  if (output.length < 80) return output;
  const wanted = 2_000 + ((output.length * 7919) % 8_000);
  return `${output}\n`.repeat(Math.max(1, Math.round(wanted / output.length)));
}
