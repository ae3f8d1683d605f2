import type { Card } from "../domain/ask/card.ts";
import type { Answer } from "../domain/ask/question.ts";

/** The data of a button: its action and the card's ticket. At most 64 bytes. */
export function makeButtonData(action: string, ticket: string): string {
  return `${action} ${ticket}`;
}

export const makePick = (prompt: number, option: number): string => `pick.${prompt}.${option}`;

export function parsePick(action: string): { prompt: number; option: number } | undefined {
  const [, prompt, option] = /^pick\.(\d{1,3})\.(\d{1,3})$/.exec(action) ?? [];
  return prompt === undefined ? undefined : { prompt: Number(prompt), option: Number(option) };
}

/** The action and the ticket of a button; undefined if it is not one of ours. */
export function parseButtonData(data: string | undefined): { action: string; ticket: string } | undefined {
  const [, action, ticket] = /^([a-z][a-z.\d]*) ([\w-]{1,50})$/.exec(data ?? "") ?? [];
  return action === undefined || ticket === undefined ? undefined : { action, ticket };
}

/** The answer that a button gives; undefined if the button needs more input. `label` is used if the card is no longer known. */
export function readButton(action: string, card: Card | undefined, label = ""): Answer | undefined {
  if (action === "once" || action === "session") return { type: "allow", scope: action };
  if (action === "deny") return { type: "deny", reason: "" };
  const pick = parsePick(action);
  if (!pick) return undefined;
  const text = card?.prompts[pick.prompt]?.options[pick.option]?.label ?? label;
  return { type: "answers", answers: [[text]] };
}
