import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transcripts } from "../../hosts/claude-code/transcript/transcripts.ts";
import type { TranscriptEntry } from "../../domain/transcript/entry.ts";
import { openTurnAssembler } from "../../domain/transcript/assemble-turns.ts";
import { readTranscript, type TranscriptProgress } from "./read-transcript.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../tests/fixtures/transcripts/${name}.jsonl`, import.meta.url));
const prompt = (text: string) =>
  JSON.stringify({ type: "user", message: { content: text }, uuid: text, sessionId: "s" });

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rk-read-"));
  path = join(directory, "t.jsonl");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function read(from: string, options: { fromByte?: number; maxLineBytes?: number } = {}) {
  const entries: TranscriptEntry[] = [];
  const bytes: number[] = [];
  const reading = await readTranscript(from, {
    ...options,
    format: transcripts,
    onEntry(entry, byte) {
      entries.push(entry);
      bytes.push(byte);
    },
  });
  return { ...(reading as TranscriptProgress), entries, bytes, texts: textsOf(entries) };
}
const textsOf = (entries: TranscriptEntry[]) =>
  entries.map((entry) => ("text" in entry ? entry.text.slice(0, 20) : entry.kind));

describe("reading a transcript", () => {
  it.each<[string, () => string]>([
    ["a FIFO", () => (execFileSync("mkfifo", [path]), path)],
    ["a device", () => "/dev/zero"],
    ["a folder", () => directory],
    ["a missing file", () => path],
  ])("does not read %s as a transcript", async (_what, make) => {
    expect(
      await readTranscript(make(), { format: transcripts, onEntry: () => expect.unreachable() }),
    ).toBeUndefined();
  });

  it("reads a complete recording, starting at any line", async () => {
    const whole = await read(fixture("denied"));
    const text = readFileSync(fixture("denied"));
    expect(whole).toMatchObject({ nextByte: text.length, damaged: 0, tooLong: 0 });
    expect(whole.lines).toBe(text.toString().trimEnd().split("\n").length);
    const middle = whole.bytes[5] ?? 0;
    const rest = await read(fixture("denied"), { fromByte: middle });
    expect(rest.entries).toEqual(whole.entries.slice(5));
    expect(await read(fixture("denied"), { fromByte: whole.nextByte })).toMatchObject({
      lines: 0,
      entries: [],
    });
  });

  it("skips damaged lines, and counts them", async () => {
    const assembler = openTurnAssembler();
    const { entries, damaged, nextByte } = await read(fixture("damaged"));
    const turns = [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
    expect(turns.map(({ prompt, final }) => [prompt, final])).toEqual([
      ["First, before the damage", "One."],
      ["", "Two, whose prompt was cut."],
      ["After a run of NULs", "Three."],
      ["Bad bytes \uFFFD\uFFFD here", "Five."],
      ["Last, after the damage", "Nine."],
    ]);
    expect(damaged).toBe(8);
    expect(nextByte).toBe(readFileSync(fixture("damaged")).lastIndexOf("\n") + 1);
  });

  it("leaves a half-written last line for the next time", async () => {
    const second = prompt("second ünï");
    writeFileSync(path, `${prompt("first")}\n${second.slice(0, -7)}`);
    const before = await read(path);
    expect(before).toMatchObject({ texts: ["first"], lines: 1, damaged: 0 });
    appendFileSync(path, `${second.slice(-7)}\n`);
    expect(await read(path, { fromByte: before.nextByte })).toMatchObject({
      texts: ["second ünï"],
      lines: 1,
    });
  });

  it("reads a last line without newline once", async () => {
    writeFileSync(path, `${prompt("first")}\n${prompt("second")}`);
    const before = await read(path);
    expect(before.texts).toEqual(["first", "second"]);
    appendFileSync(path, `\n${prompt("third")}\n`);
    expect((await read(path, { fromByte: before.nextByte })).texts).toEqual(["third"]);
  });

  it("skips a line that is too long without keeping it in memory, wherever the file is cut into chunks", async () => {
    const long = prompt("x".repeat(3_000_000));
    const unwanted = `{"type":"api-request-blob","data":"${"y".repeat(3_000_000)}"}`;
    writeFileSync(path, [prompt("first"), long, unwanted, prompt("last")].join("\n").concat("\n"));
    const limited = await read(path, { maxLineBytes: 1_500_000 });
    expect(limited).toMatchObject({ texts: ["first", "damaged", "last"], lines: 4, tooLong: 1, damaged: 0 });
    const all = await read(path);
    expect(all).toMatchObject({ texts: ["first", "x".repeat(20), "last"], lines: 4, tooLong: 0 });
    expect(limited.nextByte).toBe(all.nextByte);
  });

  it("gives the same result for all line endings", async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => prompt(`${index} ${"é".repeat(index % 900)}`));
    writeFileSync(path, `${lines.join("\n")}\n`);
    const unix = await read(path);
    writeFileSync(path, `\uFEFF${lines.join("\r\n\r\n")}\r\n`);
    const windows = await read(path);
    expect(unix.entries).toHaveLength(3000);
    expect(windows.entries).toEqual(unix.entries);
    expect(windows).toMatchObject({ lines: 3000, damaged: 0 });
  });

  it("waits for a slow reader of its entries", async () => {
    writeFileSync(path, `${prompt("first")}\n${prompt("second")}\n`);
    let running = 0;
    let most = 0;
    await readTranscript(path, {
      format: transcripts,
      async onEntry() {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      },
    });
    expect(most).toBe(1);
  });

  it("returns no lines for an empty file, undefined for a missing one, and starts over in a rewritten one", async () => {
    writeFileSync(path, "");
    expect(await read(path)).toMatchObject({ nextByte: 0, lines: 0, entries: [] });
    expect(
      await readTranscript(join(directory, "none"), { format: transcripts, onEntry() {} }),
    ).toBeUndefined();
    writeFileSync(path, `${prompt("new")}\n`);
    expect((await read(path, { fromByte: 5000 })).texts).toEqual(["new"]);
  });
});
