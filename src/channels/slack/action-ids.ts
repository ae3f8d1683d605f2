import { hash } from "node:crypto";

/** Action ids of a card's buttons. A button's value is the card's ticket. */
export const actionIds = {
  allowOnce: "allow:once",
  allowSession: "allow:session",
  deny: "deny",
  words: "words",
  submit: "submit",
} as const;

/** A button that answers the card with one press. */
export const makePickId = (prompt: number, option: number): string => `pick:${prompt}:${option}`;

/** Block id and action id of a select or checkbox group; its value is read when the card is submitted. */
export const makeSelectId = (prompt: number): string => `choose:${prompt}`;

export function parsePickId(actionId: string): { prompt: number; option: number } | undefined {
  const [, prompt, option] = /^pick:(\d+):(\d+)$/.exec(actionId) ?? [];
  return prompt === undefined ? undefined : { prompt: Number(prompt), option: Number(option) };
}

/** Id of a message's first block: finds the message posted under a key if Slack's response was lost. */
export const makeKeyBlockId = (key: string): string => `key:${hash("sha256", key).slice(0, 32)}`;
