import { describe, expect, it } from "vitest";
import { openTurnAssembler } from "./assemble-turns.ts";
import type { LineFacts, PromptEntry, SayEntry, TranscriptEntry } from "./entry.ts";
import type { TranscriptTurn } from "./turn-draft.ts";

function assemble(entries: TranscriptEntry[]): TranscriptTurn[] {
  const assembler = openTurnAssembler();
  return [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
}

let entriesMade = 0;
function facts(more: Partial<LineFacts> = {}): LineFacts {
  entriesMade += 1;
  return {
    at: 1000 + entriesMade,
    uuid: `u${entriesMade}`,
    sessionId: "s",
    isSidechain: false,
    cwd: null,
    gitBranch: null,
    version: null,
    ...more,
  };
}
const prompt = (text: string, more: Partial<PromptEntry> = {}): PromptEntry => ({
  ...facts(),
  kind: "prompt",
  origin: "human",
  text,
  promptId: `p-${text}`,
  isMidTurn: false,
  report: null,
  ...more,
});
const say = (text: string, more: Partial<SayEntry> = {}): SayEntry => ({
  ...facts(),
  kind: "say",
  text,
  messageId: null,
  isBeforeTools: false,
  ...more,
});
const call = (toolUseId: string): TranscriptEntry => ({
  ...facts(),
  kind: "tool-use",
  toolUseId,
  name: "Bash",
  toolKind: "run",
  input: { command: toolUseId },
  target: toolUseId,
  changes: [],
});
const brief = (turns: TranscriptTurn[]) => turns.map((turn) => [turn.prompt, turn.final, turn.outcome]);

describe("the assembler", () => {
  it("returns a turn when the next begins, and the last one without an outcome if its end is missing", () => {
    const assembler = openTurnAssembler();
    expect([prompt("a"), say("done")].flatMap((entry) => assembler.push(entry))).toEqual([]);
    expect(assembler.push(prompt("b"))).toMatchObject([{ prompt: "a", outcome: "completed" }]);
    assembler.push(call("t"));
    expect(assembler.flush()).toMatchObject([{ prompt: "b", outcome: null, toolUses: 1 }]);
    expect(assembler.flush()).toEqual([]);
  });

  it("reports the offset from which the held turn can be read again", () => {
    const assembler = openTurnAssembler();
    expect(assembler.openSince()).toBeUndefined();
    assembler.push(prompt("a"), 10);
    assembler.push(say("x"), 20);
    expect(assembler.openSince()).toBe(10);
    assembler.push(prompt("b"), 30);
    expect(assembler.openSince()).toBe(30);
  });

  it("returns a turn once if the file contains it twice", () => {
    const first = [prompt("a"), call("t"), say("done")];
    expect(brief(assemble([...first, ...first, prompt("b"), say("fine")]))).toEqual([
      ["a", "done", "completed"],
      ["b", "fine", "completed"],
    ]);
  });

  it("does not assign the work after a lost prompt to the previous turn", () => {
    const turns = assemble([prompt("a"), say("done"), { kind: "damaged" }, call("t"), say("other work")]);
    expect(brief(turns)).toEqual([
      ["a", "done", "completed"],
      ["", "other work", "completed"],
    ]);
  });

  it("ignores a lost line within a turn", () => {
    const turns = assemble([prompt("a"), call("t"), { kind: "damaged" }, say("done")]);
    expect(brief(turns)).toEqual([["a", "done", "completed"]]);
  });

  it("keeps a last message of several blocks in full, and nothing else", () => {
    const turns = assemble([
      prompt("a"),
      say("first thought", { messageId: "m1" }),
      ...[say("one", { messageId: "m2" }), say("two", { messageId: "m2" })],
    ]);
    expect(turns).toMatchObject([{ final: "one\n\ntwo", steps: [{ kind: "say", text: "first thought" }] }]);
  });

  it("turns a machine's turn into the user's when the user writes in it", () => {
    const wake = prompt("<task-notification>x</task-notification>", { origin: "machine" });
    const words = prompt("stop that", { isMidTurn: true, promptId: null });
    expect(assemble([wake, call("t"), words])).toMatchObject([{ isMachine: false, prompt: "stop that" }]);
  });

  it("holds a turn of any length in bounded memory", () => {
    const text = "x".repeat(16_000);
    const work = Array.from({ length: 4000 }, (_, index): TranscriptEntry[] => [
      call(`t${index}`),
      {
        ...facts(),
        kind: "tool-result",
        toolUseId: `t${index}`,
        text,
        isError: false,
        denied: null,
        answers: [],
      },
    ]);
    const [turn] = assemble([prompt("a"), ...work.flat()]);
    expect(turn?.toolUses).toBe(4000);
    expect(JSON.stringify(turn).length).toBeLessThan(30_000_000);
  });
});
