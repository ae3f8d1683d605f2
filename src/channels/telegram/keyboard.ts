import type { Card } from "../../domain/ask/card.ts";
import { type Button, drawButtons } from "../card-keyboard.ts";
import type { Keyboard } from "./updates.ts";

/** Telegram allows 100 buttons. */
const maxOptions = 90;

export function drawKeyboard(
  card: Card,
  state: Omit<Parameters<typeof drawButtons>[1], "maxOptions"> = {},
): Keyboard {
  const rows = drawButtons(card, { maxOptions, ...state });
  return {
    inline_keyboard: rows.map((row) => row.map(({ text, data }) => ({ text, callback_data: data }))),
  };
}

export function readButtons(keyboard: Keyboard | undefined): Button[] {
  return (keyboard?.inline_keyboard ?? [])
    .flat()
    .map(({ text, callback_data = "" }) => ({ text, data: callback_data }));
}
