/** How fast a long transcript is read into turns: `node tests/bench/transcripts.ts [MB]`. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTranscript } from "../../src/daemon/transcripts/read-transcript.ts";
import { transcripts } from "../../src/hosts/claude-code/transcript/transcripts.ts";
import { openTurnAssembler } from "../../src/domain/transcript/assemble-turns.ts";

const megabyte = 1024 * 1024;
const [megabytes = "200", writeTo] = process.argv.slice(2);
const wanted = Number(megabytes) * megabyte;
const fixtures = new URL("../fixtures/transcripts/", import.meta.url);
if (writeTo) writeLong(writeTo);
else await bench();

async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "rk-transcripts-"));
  try {
    const path = join(directory, "long.jsonl");
    // In a separate process, so that its memory is not counted.
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), megabytes, path]);
    const { size } = statSync(path);
    console.log(`A transcript of ${format(size)} MB; RSS before reading ${peakMb()} MB`);
    await measure("entries", path, size, () => {});
    let turns = 0;
    let steps = 0;
    const assembler = openTurnAssembler();
    await measure("turns", path, size, (entry, byte) => {
      for (const turn of assembler.push(entry, byte)) {
        turns += 1;
        steps += turn.steps.length;
      }
    });
    console.log(`${turns + assembler.flush().length} turns, ${steps} steps`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  name: string,
  path: string,
  size: number,
  onEntry: Parameters<typeof readTranscript>[1]["onEntry"],
): Promise<void> {
  const start = performance.now();
  const reading = await readTranscript(path, { format: transcripts, onEntry });
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${name}: ${format(size / seconds)} MB/s (${seconds.toFixed(2)} s), RSS peak ${peakMb()} MB, ${JSON.stringify(reading)}`,
  );
}

/** Turns with recorded tool calls and outputs of ordinary length; a few very long lines. */
function writeLong(path: string): void {
  const recorded = readFileSync(new URL("tools.jsonl", fixtures), "utf8").trimEnd().split("\n");
  const prompt = recorded.find((line) => line.includes('"promptSource"')) ?? "";
  const rest = recorded
    .slice(recorded.indexOf(prompt) + 1)
    .filter((line) => !line.includes("prompt_snapshot"));
  const file = openSync(path, "w");
  const write = (text: string) => writeSync(file, text);
  let size = 0;
  for (let turn = 0; size < wanted; turn++) {
    size += write(`${rename(prompt, turn, 0)}\n`);
    for (let round = 0; round < 8; round++)
      size += write(rest.map((line) => `${rename(lengthen(line, turn + round), turn, round)}\n`).join(""));
    if (turn === 20) size += writeHuge(write, 50);
    if (turn === 40) size += writeHuge(write, 10);
  }
  closeSync(file);
}

/** Every turn and call has unique ids. */
function rename(line: string, turn: number, round: number): string {
  return line
    .replaceAll(
      "00000000-0000-4000",
      `${String(turn).padStart(8, "0")}-${String(round).padStart(4, "0")}-4000`,
    )
    .replaceAll("toolu_", `toolu_${turn}_${round}_`);
}

/** A result of 0 to 24 KB, which a transcript contains twice: for the model and for the terminal. */
function lengthen(line: string, seed: number): string {
  if (!line.includes('"tool_result"')) return line;
  const output = 'const answer = "naïve 値";\\n\\t'.repeat((seed * 7919) % 400).replaceAll('"', '\\"');
  return line
    .replace('"type":"tool_result","content":"', `$&${output}`)
    .replace('"toolUseResult":{', `$&"stdout":"${output}",`);
}

function writeHuge(write: (text: string) => number, megabytes: number): number {
  const start =
    '{"type":"user","uuid":"huge","sessionId":"huge","message":{"role":"user","content":[{"type":"tool_result","content":"';
  return write(start) + write("x".repeat(megabytes * megabyte)) + write('","tool_use_id":"toolu_huge"}]}}\n');
}

function peakMb(): string {
  return format(process.resourceUsage().maxRSS * 1024);
}

function format(bytes: number): string {
  return (bytes / megabyte).toFixed(0);
}
