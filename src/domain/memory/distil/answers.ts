import { clip } from "../../../shared/text.ts";
import type { Distilled, Step } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";

/** What the user chose when asked, and why they refused something: their own word, so it weighs most. */
export function distilAnswers(steps: readonly Step[]): Distilled[] {
  return steps.flatMap((step): Distilled[] => {
    if (step.kind === "answer") {
      const rejected = step.options.filter((option) => !step.answer.includes(option));
      const facts = rejected.length > 0 ? [`Not chosen: ${rejected.join(", ")}`] : [];
      return [
        note(
          "decision",
          `${clip(step.question, 70)} → ${clip(step.answer, 80)}`,
          `Asked: ${step.question} The user answered: ${step.answer}.`,
          facts,
          step.eventId,
        ),
      ];
    }
    if (step.kind === "denied" && step.reason.trim())
      return [
        note(
          "preference",
          clip(step.reason, 100),
          `The user refused ${step.tool} \`${clip(step.what, 200)}\`: ${step.reason}`,
          [],
          step.eventId,
        ),
      ];
    return [];
  });
}

function note(
  type: "decision" | "preference",
  title: string,
  narrative: string,
  facts: string[],
  eventId: string,
): Distilled {
  return {
    type,
    title,
    narrative,
    facts,
    concepts: listConcepts(`${title} ${narrative}`),
    filesRead: [],
    filesModified: [],
    sourceEvents: [eventId],
    provenance: "answer",
  };
}
