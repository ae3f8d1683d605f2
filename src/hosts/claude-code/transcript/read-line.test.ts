import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { TranscriptEntry } from "../../../domain/transcript/entry.ts";
import { readTranscriptLine } from "./read-line.ts";

const fixtures = new URL("../../../../tests/fixtures/transcripts/", import.meta.url);
const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, fixtures), "utf8")
    .trimEnd()
    .split("\n");
const entriesOf = (name: string) => linesOf(name).flatMap((line) => readTranscriptLine(line));
const recorded = readdirSync(fixtures)
  .filter((name) => name.endsWith(".jsonl") && name !== "damaged.jsonl")
  .map((name) => name.replace(".jsonl", ""));

const kindsOf = (name: string) => entriesOf(name).map(({ kind }) => kind);
const only = <K extends TranscriptEntry["kind"]>(entries: TranscriptEntry[], kind: K) =>
  entries.filter((entry): entry is Extract<TranscriptEntry, { kind: K }> => entry.kind === kind);

const ids = { uuid: "u", sessionId: "s", timestamp: "2026-11-15T10:00:00.000Z" };
const user = (content: unknown, more: object = {}) =>
  readTranscriptLine(JSON.stringify({ type: "user", message: { content }, ...ids, ...more }));

describe("a line of a recorded transcript", () => {
  it("gives the text of the person, the agent and the tools, and nothing else", () => {
    expect(kindsOf("tools")).toEqual([
      ...["prompt", "say", "tool-use", "tool-use", "tool-result", "tool-result"],
      ...["tool-use", "tool-result", "tool-use", "tool-use", "tool-result", "tool-result", "say"],
    ]);
    expect(entriesOf("tools")[0]).toMatchObject({
      kind: "prompt",
      origin: "human",
      text: "GO-WORK please",
      isMidTurn: false,
      isSidechain: false,
      cwd: "/home/sample/project",
      gitBranch: "main",
      version: "2.1.325",
      at: expect.any(Number),
    });
  });

  it("never contains text that hooks injected", () => {
    for (const name of recorded) expect(JSON.stringify(entriesOf(name))).not.toContain("INJECTED");
    expect(recorded.map(linesOf).flat().join("\n").split("INJECTED").length).toBeGreaterThan(50);
  });

  it("is never damaged", () => {
    expect(recorded.length).toBeGreaterThan(15);
    for (const name of recorded) expect(kindsOf(name)).not.toContain("damaged");
  });

  it("is skipped without parsing only if it contains nothing for us", () => {
    let passedOver = 0;
    for (const line of recorded.flatMap(linesOf)) {
      // A leading object disables the check of the first fields.
      const parsed = readTranscriptLine(`{"first":{},${line.slice(1)}`);
      expect(readTranscriptLine(line)).toEqual(parsed);
      passedOver += parsed.length === 0 ? 1 : 0;
    }
    expect(passedOver).toBeGreaterThan(300);
  });

  it("gives the reason of a refusal, in the terminal or elsewhere, and a refusal without a reason", () => {
    const results = only(entriesOf("denied"), "tool-result");
    const reasons = results.map(({ denied }) => denied?.reason);
    expect(reasons).toEqual(["never make folders in the root", undefined, "not from where I am", ""]);
  });

  it("does not treat a missing permission of a headless run as a refusal", () => {
    const results = only(entriesOf("tools"), "tool-result");
    expect(results.map(({ denied }) => denied)).toEqual(results.map(() => null));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true, true]);
  });

  it("gives the answer to a question, and its options with their explanations", () => {
    const [first, second] = only(entriesOf("question"), "tool-result");
    expect(first?.answers).toEqual([
      {
        question: "Which database?",
        answer: "PostgreSQL",
        options: ["SQLite", "PostgreSQL"],
        header: "Choice",
        details: ["Use SQLite", "Use PostgreSQL"],
      },
      {
        question: "Which languages?",
        answer: "French, German",
        options: ["French", "German"],
        header: "Choice",
        details: ["Use French", "Use German"],
      },
    ]);
    expect(second?.answers[0]?.answer).toBe("DuckDB, it is columnar");
  });

  it("distinguishes a command from a prompt, and contains no output of commands", () => {
    const entries = entriesOf("commands-2");
    expect(only(entries, "command").map(({ text }) => text)).toEqual([
      ...["/clear", "/compact", "/greet the crows", "! echo by $((1 + 1)) hands"],
    ]);
    expect(only(entries, "title")).toMatchObject([{ title: "polite-birds", source: "user" }]);
    expect(only(entries, "compact-summary").map(({ text }) => text)).toEqual(["A scripted summary."]);
    expect(JSON.stringify(entries)).not.toMatch(/by 2 hands|Compacted|caveat/);
  });

  it("distinguishes the user's text in mid-turn from a wake-up in mid-turn", () => {
    const queued = only(entriesOf("queued"), "prompt")[1];
    expect(queued).toMatchObject({ text: "also use tabs", origin: "human", isMidTurn: true });
    const woken = only(entriesOf("woken"), "prompt").map(({ origin, isMidTurn }) => [origin, isMidTurn]);
    expect(woken).toEqual([
      ["human", false],
      ["machine", false],
      ["human", false],
      ["machine", true],
    ]);
  });

  it("names its original session and line if a branch copied it", () => {
    const trunk = only(entriesOf("branched"), "prompt")[0];
    const copy = only(entriesOf("branched-2"), "prompt")[0];
    expect(copy).toEqual(trunk);
    expect(only(entriesOf("branched-2"), "prompt")[1]?.sessionId).not.toBe(trunk?.sessionId);
  });

  it("is marked as a subagent's", () => {
    const entries = only(entriesOf("subagent-agent"), "say");
    expect(entries).toMatchObject([{ isSidechain: true, agentId: expect.stringMatching(/^a/) }]);
  });
});

describe("a line of another shape", () => {
  it("finds the reason of a refusal in the model's text alone, as older versions wrote it", () => {
    const text =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nuse pnpm\n\nNote: The user's next message may contain a correction.";
    expect(user([{ type: "tool_result", tool_use_id: "t", content: text, is_error: true }])).toMatchObject([
      { kind: "tool-result", denied: { reason: "use pnpm" } },
    ]);
  });

  it("keeps only the user's words of a prompt with additions of the host and the editor", () => {
    const blocks = [
      { type: "text", text: "<ide_opened_file>The user opened a.ts</ide_opened_file>" },
      { type: "text", text: "<system-reminder>\nBe brief.\n</system-reminder>\nfix the bug" },
      { type: "image", source: { data: "AAAA" } },
    ];
    expect(user(blocks)).toMatchObject([{ kind: "prompt", text: "fix the bug\n\n[image]" }]);
    expect(user("<system-reminder>only this</system-reminder>")).toEqual([]);
    expect(user("a prompt", { isMeta: true })).toEqual([]);
  });

  it("cuts long texts to head and tail", () => {
    const content = [{ type: "tool_result", tool_use_id: "t", content: `HEAD${"x".repeat(90_000)}TAIL` }];
    const line = JSON.stringify({ type: "user", message: { content }, ...ids });
    const [result] = only(readTranscriptLine(line, { textLimit: 1000 }), "tool-result");
    expect(result?.text).toMatch(/^HEADx+\n\[… \d+ characters left out …\]\nx+TAIL$/);
    expect(result?.text.length).toBeLessThan(1100);
    const call = { type: "tool_use", id: "t", name: "Write", input: { content: "y".repeat(90_000) } };
    const written = JSON.stringify({ type: "assistant", message: { content: [call] }, ...ids });
    const [use] = only(readTranscriptLine(written, { textLimit: 1000 }), "tool-use");
    expect(String(use?.input["content"]).length).toBeLessThan(1100);
  });

  it("gives nothing for a title, a system line or an unknown type that we do not use", () => {
    for (const type of ["progress", "queue-operation", "last-prompt", "something-new", "system"])
      expect(readTranscriptLine(JSON.stringify({ type, ...ids, content: "<command-name>" }))).toEqual([]);
    expect(readTranscriptLine("")).toEqual([]);
    expect(readTranscriptLine(" \r")).toEqual([]);
  });

  it("counts as damaged if it is not an object or has no id", () => {
    for (const line of ["{", "null", "[]", "7", '"x"', '{"type":"progress","data":{', '{"type":"user"}'])
      expect(readTranscriptLine(line)).toEqual([{ kind: "damaged" }]);
  });

  it("never throws, even if it is truncated or has a wrong byte", () => {
    for (const line of ["tools", "denied", "question", "woken"].flatMap(linesOf)) {
      for (let cut = 1; cut < line.length; cut += 97) {
        const kinds = readTranscriptLine(line.slice(0, cut)).map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind !== "damaged")).toEqual([]);
        readTranscriptLine(`${line.slice(0, cut)}\0${line.slice(cut)}`);
        readTranscriptLine(line.slice(0, cut) + line.slice(cut + 1));
      }
    }
    const deep = `{"type":"assistant","uuid":"u","sessionId":"s","message":{"content":[{"type":"tool_use","id":"t","name":"N","input":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}]}}`;
    expect(readTranscriptLine(deep)).toMatchObject([{ kind: "tool-use" }]);
  });
});
