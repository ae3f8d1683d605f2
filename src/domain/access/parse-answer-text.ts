import type { Card } from "../ask/card.ts";
import type { Answer } from "../ask/question.ts";
import { stripInvisible } from "../../shared/defuse.ts";

const maxCharacters = 8_000;

type ParsedAnswer = { answer: Answer } | { unclear: string };

/**
 * Reads a text in a card's thread as an answer. It can choose an option or be free text, but it never allows or
 * denies: a "yes" may be meant for someone else, or the card may have scrolled out of view.
 */
export function parseAnswerText(
  text: string,
  card: Pick<Card, "kind" | "prompts">,
  hints: { decide: string; several: string },
): ParsedAnswer {
  if (card.kind !== "choice") return { unclear: `${hints.decide} Any other text has no effect.` };
  const [prompt, ...others] = card.prompts;
  const said = stripInvisible(text).trim();
  if (!prompt || others.length > 0) {
    const wrong = findWrongNumbers(said, card.prompts);
    return { unclear: `${wrong ?? `This asks ${card.prompts.length} things at once.`} ${hints.several}` };
  }
  if (said === "") return { unclear: "Your message has no text." };
  if (said.length > maxCharacters) return tooLong(said.length);
  const labels = prompt.options.map(({ label }) => label);
  const chosen = prompt.isMulti ? chooseSeveral(said, labels) : chooseOne(said, labels);
  const wrong = chosen ? undefined : findWrongNumber(said, labels);
  if (wrong !== undefined)
    return {
      unclear: `There is no option ${wrong}: answer with a number from 1 to ${labels.length}, or in your own words.`,
    };
  return { answer: { type: "answers", answers: [chosen ?? [said]] } };
}

/** Finds a number that matches no option. If the options are numbers themselves, any number is accepted. */
function findWrongNumber(said: string, labels: readonly string[]): string | undefined {
  if (labels.length === 0 || labels.some((label) => /\d/.test(label))) return undefined;
  const parts = said.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,2}$/.test(part))) return undefined;
  return parts.find((part) => labels[Number(part) - 1] === undefined);
}

/** One number for each question, of which one is no option. */
function findWrongNumbers(said: string, prompts: Card["prompts"]): string | undefined {
  const parts = said.split(/[\s,]+/);
  if (parts.length !== prompts.length || !parts.every((part) => /^\d{1,2}$/.test(part))) return undefined;
  const wrong = parts.findIndex((part, index) => prompts[index]?.options[Number(part) - 1] === undefined);
  return wrong < 0 ? undefined : `Question ${wrong + 1} has no option ${parts[wrong]}.`;
}

/** Cleans a pressed or typed answer: removes invisible characters and limits its length. */
export function cleanAnswer(answer: Answer): ParsedAnswer {
  if (answer.type === "allow") return { answer };
  const texts = answer.type === "deny" ? [answer.reason] : answer.answers.flat();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > maxCharacters) return tooLong(length);
  if (answer.type === "deny")
    return { answer: { type: "deny", reason: stripInvisible(answer.reason).trim() } };
  const answers = answer.answers.map((list) => list.map((text) => stripInvisible(text).trim()));
  return { answer: { type: "answers", answers } };
}

function tooLong(length: number): ParsedAnswer {
  return { unclear: `Your answer is too long: ${length} characters; the limit is ${maxCharacters}.` };
}

function chooseOne(said: string, labels: readonly string[]): string[] | undefined {
  const byName = labels.find((label) => label.toLowerCase() === said.toLowerCase());
  const byNumber = /^\d{1,2}$/.test(said) ? labels[Number(said) - 1] : undefined;
  const label = byName ?? byNumber;
  return label === undefined ? undefined : [label];
}

/** Treats the text as a list only if every part is an option: otherwise the comma belongs to a sentence. */
function chooseSeveral(said: string, labels: readonly string[]): string[] | undefined {
  const parts = said.split(",").map((part) => chooseOne(part.trim(), labels));
  return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : chooseOne(said, labels);
}
