import type { Distilled, Step } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";
import { maxWhole, shortenTitle } from "./title.ts";

type Answer = Extract<Step, { kind: "answer" }>;
type Denied = Extract<Step, { kind: "denied" }>;

/** The user's choice in a dialog, with the options that were not chosen. */
export function noteAnswer(step: Answer): Distilled {
  const { question, answer, options, eventId } = step;
  const rejected = options.filter((option) => !answer.includes(option));
  const isFreeText = !options.some((option) => answer.includes(option)) && answer.length > 25;
  const narrative = `Asked: ${question} The user answered: ${answer}.`;
  return {
    type: "decision",
    title: isFreeText ? shortenTitle(answer) : titleAnswer(question, answer),
    narrative,
    facts: rejected.length > 0 ? [`Not chosen: ${rejected.join(", ")}`] : [],
    concepts: listConcepts(narrative),
    filesRead: [],
    filesModified: [],
    sourceEvents: [eventId],
    provenance: "answer",
  };
}

/**
 * `Which database? → PostgreSQL`; only the last sentence of a long question is used, because it contains the actual
 * question.
 */
function titleAnswer(question: string, answer: string): string {
  const sentences = question.split(/(?<=[.!?])\s+/);
  const last = sentences.findLastIndex((one) => one.endsWith("?"));
  // "Which?" needs the sentence before it.
  const isShort = last > 0 && (sentences[last] ?? "").split(/\s+/).length < minQuestion;
  const asked = last < 0 ? question : sentences.slice(isShort ? last - 1 : last, last + 1).join(" ");
  const chosen = shortenTitle(answer, 45);
  return `${shortenTitle(asked.trim(), maxWhole - 3 - chosen.length)} → ${chosen}`;
}

/** A question with fewer words does not name its subject. */
const minQuestion = 6;

/** The reason the user gave for refusing something. */
export function noteRefusal(step: Denied, title: string): Distilled {
  const { tool, what, reason, eventId } = step;
  const narrative = `The user refused ${tool} \`${shortenTitle(what, 200)}\`: ${reason}`;
  return {
    type: "preference",
    title,
    narrative,
    facts: [],
    concepts: listConcepts(narrative),
    filesRead: [],
    filesModified: [],
    sourceEvents: [eventId],
    provenance: "answer",
  };
}

/** Answers given outside a turn, such as to `ask_human`. */
export function distilAnswers(steps: readonly Step[]): Distilled[] {
  return steps.flatMap((step) => {
    if (step.kind === "answer") return [noteAnswer(step)];
    return step.kind === "denied" && step.reason.trim() ? [noteRefusal(step, shortenTitle(step.reason))] : [];
  });
}
