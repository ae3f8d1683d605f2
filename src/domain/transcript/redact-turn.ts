import { type Exclusion, inputFrame } from "../capture/exclude.ts";
import type { Step } from "../memory/turn-record.ts";
import { redactText } from "../../redact/redact-text.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { TranscriptTurn } from "./turn-draft.ts";

export interface RedactOptions {
  /** The distiller does not use outputs of successful calls: if they are not stored, they need not be redacted. */
  keepsOutputs: boolean;
  exclusion: Exclusion;
}

/** A turn that is safe to store: without secrets, private spans and text that we injected ourselves. */
export function redactTurn(turn: TranscriptTurn, options: RedactOptions): TranscriptTurn {
  const { compactSummary: _dropped, ...rest } = turn;
  return {
    ...rest,
    gitBranch: turn.gitBranch === null ? null : clean(turn.gitBranch),
    prompt: clean(turn.prompt),
    final: clean(turn.final),
    steps: turn.steps.flatMap((step) =>
      "toolKind" in step && step.toolKind === "housekeeping" ? [] : redactStep(step, options),
    ),
  };
}

function redactStep(step: Step, { keepsOutputs, exclusion }: RedactOptions): Step {
  switch (step.kind) {
    case "say":
      return { ...step, text: clean(step.text) };
    case "tool":
      if (exclusion.concerns(step.input)) return { ...step, input: inputFrame(step.input), output: "" };
      return {
        ...step,
        input: redactValue(step.input).value as Record<string, unknown>,
        output: keepsOutputs || step.failed ? clean(step.output) : "",
      };
    case "answer":
      return {
        ...step,
        question: clean(step.question),
        answer: clean(step.answer),
        options: step.options.map(clean),
      };
    default:
      return { ...step, what: clean(step.what), reason: clean(step.reason) };
  }
}

function clean(text: string): string {
  return redactText(text).text.trim();
}
