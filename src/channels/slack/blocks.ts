import type {
  ActionsBlock,
  Button,
  ContextBlock,
  KnownBlock,
  PlainTextElement,
  RichTextBlock,
} from "@slack/web-api";
import { truncate } from "../../shared/text.ts";
import { limits } from "./limits.ts";
import { showInvisible } from "./plain.ts";

/**
 * All that others wrote stands in rich text or plain text, which Slack does not read for markup: a mention, a link or a
 * backtick in it is only letters.
 */
export function plain(text: string, most: number): PlainTextElement {
  // An empty text is refused.
  return { type: "plain_text", text: shorten(text, most) || " ", emoji: false };
}

export interface Run {
  text: string;
  most: number;
  isBold?: boolean;
}

export function paragraph(runs: Run[], blockId?: string): RichTextBlock {
  const elements = runs
    .filter(({ text }) => text !== "")
    .map(({ text, most, isBold }) => ({
      ...letters(text, most),
      ...(isBold ? { style: { bold: true } } : {}),
    }));
  return withId({ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }, blockId);
}

export function quote(text: string, most: number): RichTextBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [letters(text, most)] }] };
}

export function preformatted(text: string, most: number): RichTextBlock {
  const elements = [letters(text, most)];
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements }] };
}

/** Whether only the beginning of a text would be seen. */
export function isCut(text: string, most: number): boolean {
  return text.length > most || showInvisible(text).length > most;
}

/** Of a very long text only what may be seen is gone through: written out, it is at least half as long. */
function shorten(text: string, most: number): string {
  return truncate(showInvisible(text.slice(0, 2 * most + 2)), most);
}

function letters(text: string, most: number): { type: "text"; text: string } {
  return { type: "text", text: shorten(text, most) || " " };
}

export function small(text: string): ContextBlock {
  return { type: "context", elements: [plain(text, limits.sectionText)] };
}

export function button(label: string, actionId: string, value: string, style?: "primary" | "danger"): Button {
  const text = plain(label, limits.buttonText);
  return { type: "button", text, action_id: actionId, value, ...(style ? { style } : {}) };
}

export function actions(elements: ActionsBlock["elements"], blockId?: string): ActionsBlock {
  return withId({ type: "actions", elements }, blockId);
}

function withId<T extends KnownBlock>(block: T, blockId: string | undefined): T {
  return blockId === undefined ? block : { ...block, block_id: blockId };
}
