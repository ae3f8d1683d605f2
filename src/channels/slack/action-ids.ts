import { createHash } from "node:crypto";

/** What the parts of a card are called in what Slack sends back. A button's value is the card's ticket. */
export const actionIds = {
  allowOnce: "allow:once",
  allowSession: "allow:session",
  deny: "deny",
  words: "words",
  submit: "submit",
} as const;

/** A button that is an answer by itself. */
export const pickId = (prompt: number, option: number): string => `pick:${prompt}:${option}`;

/** A select or a group of boxes, block and action alike; it counts when the card is submitted. */
export const chooseId = (prompt: number): string => `choose:${prompt}`;

export function readPickId(actionId: string): { prompt: number; option: number } | undefined {
  const [, prompt, option] = /^pick:(\d+):(\d+)$/.exec(actionId) ?? [];
  return prompt === undefined ? undefined : { prompt: Number(prompt), option: Number(option) };
}

/** Stands as the first block's id in what was posted under a key, so that it is found again after a lost answer. */
export const keyBlockId = (key: string): string =>
  `key:${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
