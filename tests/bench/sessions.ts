import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeCall } from "../support/describe-call.ts";
import { isMachinePrompt } from "../../src/hosts/claude-code/prompts.ts";
import type { Step, TurnRecord } from "../../src/domain/memory/turn-record.ts";

/** The labels of a session, as described in tests/fixtures/sessions/README.md. */
export interface Label {
  turn: number;
  types: string[];
  about: string[];
  why: string;
}

export interface LabelledSession {
  name: string;
  project: string;
  split: "tune" | "held";
  // biome-ignore lint/suspicious/noExplicitAny: turns as the README describes them, read by `toRecord` alone
  turns: any[];
  labels: { keep: Label[]; optional?: Label[]; nextSteps?: Label[] };
}

export function readSessions(): LabelledSession[] {
  const folder = fileURLToPath(new URL("../fixtures/sessions/", import.meta.url));
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(`${folder}${file}`, "utf8")));
}

/** Matches if each entry occurs in at least one of its alternatives. */
export function contains(text: string, about: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return about.every((entry) => entry.split("|").some((word) => lower.includes(word)));
}

export function toRecord(turn: any): TurnRecord {
  const steps: Step[] = turn.steps.flatMap((step: any, index: number): Step[] => {
    const eventId = `e${index}`;
    if (step.say) return [{ kind: "say", text: step.say }];
    if (step.answers)
      return step.input.questions.map((question: any) => ({
        ...{
          kind: "answer",
          question: question.question,
          answer: String(step.answers[question.question] ?? ""),
        },
        options: question.options.map((option: any) => option.label),
        eventId,
      }));
    if (step.denied) {
      const { tool, input, reason } = step.denied;
      return [
        { kind: "denied", tool, what: String(input.command ?? input.file_path ?? ""), reason, eventId },
      ];
    }
    if (step.subagent)
      return [
        {
          kind: "tool",
          tool: "Agent",
          ...describeCall("Agent", {}),
          input: { prompt: step.subagent.prompt },
          output: step.subagent.result,
          failed: false,
          eventId,
        },
      ];
    return [
      {
        kind: "tool",
        tool: step.tool,
        ...describeCall(step.tool, step.input),
        input: step.input,
        output: String(step.error ?? step.output ?? ""),
        failed: step.error !== undefined,
        eventId,
      },
    ];
  });
  return {
    prompt: turn.prompt,
    isMachine: isMachinePrompt(turn.prompt),
    steps,
    final: turn.final ?? "",
    outcome: turn.outcome ?? null,
  };
}
