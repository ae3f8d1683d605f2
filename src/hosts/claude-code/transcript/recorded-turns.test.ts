import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openTurnAssembler } from "../../../domain/transcript/assemble-turns.ts";
import { readTranscriptLine } from "./read-line.ts";
import type { TranscriptTurn } from "../../../domain/transcript/turn-draft.ts";

const fixtures = new URL("../../../../tests/fixtures/transcripts/", import.meta.url);

function turnsOf(name: string): TranscriptTurn[] {
  const assembler = openTurnAssembler();
  const lines = readFileSync(new URL(`${name}.jsonl`, fixtures), "utf8")
    .trimEnd()
    .split("\n");
  const entries = lines.flatMap((line) => readTranscriptLine(line));
  return [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
}
const brief = (turns: TranscriptTurn[]) => turns.map((turn) => [turn.prompt, turn.final, turn.outcome]);

describe("turns of recorded transcripts", () => {
  it("contain the prompt, all texts and actions in order, and the last message", () => {
    const [turn, ...others] = turnsOf("tools");
    expect(others).toEqual([]);
    expect(turn).toMatchObject({
      prompt: "GO-WORK please",
      isMachine: false,
      final: "Greets politely now.",
      outcome: "completed",
      toolUses: 5,
      cwd: "/home/sample/project",
      gitBranch: "main",
    });
    expect(
      turn?.steps.map((step) => (step.kind === "tool" ? `${step.tool}:${step.failed}` : step.kind)),
    ).toEqual([...["say", "Read:false", "Bash:false", "Edit:false", "Bash:true", "Bash:true"]]);
    expect(turn?.steps[2]).toEqual({
      ...{
        kind: "tool",
        tool: "Bash",
        toolKind: "run",
        input: { command: "echo one", description: "step" },
        target: "echo one",
        changes: [],
        output: "one",
      },
      failed: false,
      eventId: expect.stringMatching(/^toolu_/),
    });
    expect(turn && turn.endedAt > turn.startedAt).toBe(true);
  });

  it("contain refusals with their reason, and comments on a permission as part of the prompt", () => {
    const turns = turnsOf("denied");
    expect(turns.map(({ steps: [step] }) => step)).toMatchObject([
      { kind: "denied", tool: "Bash", what: "mkdir made", reason: "never make folders in the root" },
      { kind: "tool", failed: false },
      { kind: "denied", what: "mkdir REMOTE", reason: "not from where I am" },
      { kind: "denied", what: "mkdir again", reason: "" },
      undefined,
    ]);
    expect(turns[1]?.prompt).toBe("GO-YES\n\nand tell me when it is there");
    expect(turns.map(({ outcome }) => outcome)).toEqual([
      ...["completed", "completed", "completed", "interrupted", "completed"],
    ]);
  });

  it("contain one answer per question", () => {
    const [first, , cancelled] = turnsOf("question");
    expect(first?.steps).toMatchObject([
      {
        kind: "answer",
        question: "Which database?",
        answer: "PostgreSQL",
        options: ["SQLite", "PostgreSQL"],
      },
      { kind: "answer", question: "Which languages?", answer: "French, German" },
    ]);
    expect(cancelled).toMatchObject({
      outcome: "interrupted",
      steps: [{ kind: "denied", what: "Which database?", reason: "" }],
    });
  });

  it("fail if the request failed, and end where the user interrupted", () => {
    expect(brief(turnsOf("api-error"))).toEqual([["break", "", "failed"]]);
    expect(brief(turnsOf("interrupted"))).toEqual([
      ["GO-FIRST", "ANSWER-FIRST", "completed"],
      ["GO-SLEEP", "", "interrupted"],
      ["GO-SECOND", "ANSWER-SECOND", "completed"],
      ["GO-THINK", "", "interrupted"],
      ["GO-THIRD", "ANSWER-THIRD", "completed"],
    ]);
    const running = turnsOf("interrupted")[1]?.steps;
    expect(running).toMatchObject([
      { kind: "say", text: "I wait." },
      { kind: "tool", failed: true },
    ]);
  });

  it("give a subagent's report as the result of its call, whether it was waited for or not", () => {
    const turns = turnsOf("subagent");
    expect(turns.map(({ isMachine }) => isMachine)).toEqual([false, true, false]);
    for (const turn of [turns[0], turns[2]])
      expect(turn?.steps).toMatchObject([{ tool: "Agent", output: "FOUND in src/greet.js", failed: false }]);
    expect(turnsOf("subagent-agent")).toEqual([]);
  });

  it("start with a command only if the model acts on it, and keep the summary of a compaction", () => {
    const turns = turnsOf("commands-2");
    expect(turns.map(({ prompt }) => prompt)).toEqual([
      ...["GO-SECOND after the clear", "GO-THIRD after the compaction", "/greet the crows"],
      ...["! echo by $((1 + 1)) hands", "GO-FOURTH after the shell"],
    ]);
    expect(turns.map(({ compactSummary }) => compactSummary)).toEqual([
      ...["A scripted summary.", undefined, undefined, undefined, undefined],
    ]);
    expect(new Set(turns.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(turnsOf("commands")[0]?.sessionId).not.toBe(turns[0]?.sessionId);
  });

  it("are of kind machine after a wake-up of an idle session, and are not started by a wake-up in mid-turn", () => {
    const turns = turnsOf("woken");
    expect(turns.map(({ isMachine, outcome }) => [isMachine, outcome])).toEqual([
      [false, "completed"],
      [true, "completed"],
      [false, "completed"],
    ]);
    expect(turns[1]?.prompt).toContain("WHILE IDLE");
    expect(turns[2]).toMatchObject({ prompt: "GO-WORK", final: "FINISHED", toolUses: 4 });
  });

  it("include text that the user typed during the turn", () => {
    expect(brief(turnsOf("queued"))).toEqual([["start of it\n\nalso use tabs", "FINISHED", "completed"]]);
  });

  it("have the same key in a fork, which gives them wrong prompt ids", () => {
    const [original, fork] = [turnsOf("resumed"), turnsOf("resumed-2")];
    expect(fork.slice(0, 2).map(({ key }) => key)).toEqual(original.map(({ key }) => key));
    expect(original.map(({ promptId }) => typeof promptId)).toEqual(["string", "string"]);
    expect(fork.map(({ promptId }) => typeof promptId)).toEqual(["object", "object", "string"]);
    expect(fork.map(({ prompt }) => prompt)).toEqual(["GO-WORK", "second prompt", "third prompt"]);
  });

  it("are the same in a branch, under their first session", () => {
    const [trunk, branch] = [turnsOf("branched"), turnsOf("branched-2")];
    expect(branch).toHaveLength(2);
    expect(branch[0]).toEqual(trunk[0]);
    expect(branch[1]?.sessionId).not.toBe(trunk[0]?.sessionId);
  });
});
