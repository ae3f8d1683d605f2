import type { Card } from "../../domain/ask/card.ts";
import { type Button, drawButtons } from "../card-keyboard.ts";
import type { componentRows } from "./payloads.ts";
import type * as z from "zod";

const kinds = { row: 1, button: 2, textInput: 4 };
const styles = { plain: 2, confirm: 3, danger: 4 };
const inputStyles = { paragraph: 2 };
/** Discord allows five rows of five buttons; two are "Send" and "Answer in your own words …". */
const perRow = 5;
const maxOptions = 23;
const maxLabel = 80;
const maxInput = 4_000;

export interface ActionRow {
  type: number;
  components: object[];
}

export function drawComponents(
  card: Card,
  state: Omit<Parameters<typeof drawButtons>[1], "maxOptions"> = {},
): ActionRow[] {
  const rows = drawButtons(card, { maxOptions, ...state });
  const shown = rows.length <= perRow ? rows : chunk(rows.flat());
  return shown.map((row) => ({ type: kinds.row, components: row.map(drawButton) }));
}

function drawButton({ text, data }: Button): object {
  const style = data.startsWith("deny ")
    ? styles.danger
    : /^(?:once|session|send) /.test(data)
      ? styles.confirm
      : styles.plain;
  return { type: kinds.button, style, label: text.slice(0, maxLabel), custom_id: data };
}

function chunk(buttons: Button[]): Button[][] {
  const count = Math.ceil(buttons.length / perRow);
  return Array.from({ length: count }, (_, n) => buttons.slice(n * perRow, (n + 1) * perRow));
}

export function readButtons(rows: z.infer<typeof componentRows> | undefined): Button[] {
  return (rows ?? [])
    .flatMap(({ components }) => components)
    .map(({ label, custom_id = "" }) => ({ text: label, data: custom_id }));
}

const forms: Record<Card["kind"], { title: string; label: string }> = {
  choice: { title: "Answer in your own words", label: "Your answer" },
  permission: { title: "Deny with a reason", label: "The reason" },
  plan: { title: "Keep planning", label: "What to change" },
};

/** A dialog that asks for a text. Discord returns the id of the card's button with it. */
export function drawForm({ kind }: Card, data: string): object {
  const { title, label } = forms[kind];
  const input = {
    type: kinds.textInput,
    style: inputStyles.paragraph,
    custom_id: "text",
    label,
    required: true,
    max_length: maxInput,
  };
  return { custom_id: data, title, components: [{ type: kinds.row, components: [input] }] };
}

export function readForm(rows: z.infer<typeof componentRows> | undefined): string {
  return (
    (rows ?? []).flatMap(({ components }) => components).find(({ value }) => value !== undefined)?.value ?? ""
  );
}
