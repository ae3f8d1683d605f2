import { type Exclusion, keepFileNames } from "../capture/exclude.ts";
import type { PayloadRules } from "../capture/payload-rules.ts";
import type { Step, ToolStep } from "../memory/turn-record.ts";
import { redactText } from "../../redact/redact-text.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { TranscriptTurn } from "./turn-draft.ts";

interface RedactOptions {
  /** The distiller does not use outputs of successful calls: if they are not stored, they need not be redacted. */
  keepsOutputs: boolean;
  exclusion: Exclusion;
  /** The tool rules of the host that wrote the transcript. */
  tools: PayloadRules["tools"];
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

function redactStep(step: Step, options: RedactOptions): Step {
  switch (step.kind) {
    case "say":
      return { ...step, text: clean(step.text) };
    case "tool":
      return redactTool(step, options);
    case "answer":
      return {
        ...step,
        question: clean(step.question),
        answer: clean(step.answer),
        options: step.options.map(clean),
        ...(step.header ? { header: clean(step.header) } : {}),
        ...(step.details ? { details: step.details.map(clean) } : {}),
      };
    default:
      return { ...step, what: clean(step.what), reason: clean(step.reason) };
  }
}

function redactTool(step: ToolStep, { keepsOutputs, exclusion, tools }: RedactOptions): ToolStep {
  const call = tools.readCall(step.tool, step.input);
  const isExcluded = exclusion.matches(call);
  const input = isExcluded ? keepFileNames(step.input, call) : redactValue(step.input).value;
  const { target, changes } = tools.readCall(step.tool, input);
  const keepsOutput = !isExcluded && (keepsOutputs || step.failed);
  return {
    ...step,
    input: input as Record<string, unknown>,
    target,
    changes,
    output: keepsOutput ? clean(step.output) : "",
  };
}

function clean(text: string): string {
  return redactText(text).text.trim();
}
