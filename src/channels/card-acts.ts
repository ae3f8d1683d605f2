import type { Card } from "../domain/ask/card.ts";
import type { Answer } from "../domain/ask/question.ts";

/** Text that a button carries back: its act and the card's ticket. At most 64 bytes. */
export function makeButtonData(act: string, ticket: string): string {
  return `${act} ${ticket}`;
}

export const makePickAct = (prompt: number, option: number): string => `pick.${prompt}.${option}`;

export function parsePickAct(act: string): { prompt: number; option: number } | undefined {
  const [, prompt, option] = /^pick\.(\d{1,3})\.(\d{1,3})$/.exec(act) ?? [];
  return prompt === undefined ? undefined : { prompt: Number(prompt), option: Number(option) };
}

/** The act and the ticket of a button; undefined if it is not one of ours. */
export function parseButtonData(data: string | undefined): { act: string; ticket: string } | undefined {
  const [, act, ticket] = /^([a-z][a-z.\d]*) ([\w-]{1,50})$/.exec(data ?? "") ?? [];
  return act === undefined || ticket === undefined ? undefined : { act, ticket };
}

/** The answer of a button that needs no other input; undefined if it does. `label` is used if the card is not known anymore. */
export function readAct(act: string, card: Card | undefined, label = ""): Answer | undefined {
  if (act === "once" || act === "session") return { type: "allow", scope: act };
  if (act === "deny") return { type: "deny", reason: "" };
  const pick = parsePickAct(act);
  if (!pick) return undefined;
  const text = card?.prompts[pick.prompt]?.options[pick.option]?.label ?? label;
  return { type: "answers", answers: [[text]] };
}
