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
import { showInvisible } from "../show-invisible.ts";

/**
 * Text written by others only goes into rich text or plain text, where Slack interprets no markup: mentions, links and
 * backticks stay literal.
 */
export function plainText(text: string, max: number): PlainTextElement {
  // Slack rejects an empty text.
  return { type: "plain_text", text: shorten(text, max) || " ", emoji: false };
}

/** A piece of text in one style. */
interface Run {
  text: string;
  max: number;
  isBold?: boolean;
}

export function paragraph(runs: Run[], blockId?: string): RichTextBlock {
  const elements = runs
    .filter(({ text }) => text !== "")
    .map(({ text, max, isBold }) => ({
      ...makeTextElement(text, max),
      ...(isBold ? { style: { bold: true } } : {}),
    }));
  return withId({ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }, blockId);
}

export function quote(text: string, max: number): RichTextBlock {
  return {
    type: "rich_text",
    elements: [{ type: "rich_text_quote", elements: [makeTextElement(text, max)] }],
  };
}

export function preformatted(text: string, max: number): RichTextBlock {
  const elements = [makeTextElement(text, max)];
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements }] };
}

/** True if the text is too long to be shown in full. */
export function isTooLong(text: string, max: number): boolean {
  return text.length > max || showInvisible(text).length > max;
}

/** Slices first, so that a very long text is not processed in full; `showInvisible` at most halves the length (CRLF). */
function shorten(text: string, max: number): string {
  return truncate(showInvisible(text.slice(0, 2 * max + 2)), max);
}

function makeTextElement(text: string, max: number): { type: "text"; text: string } {
  return { type: "text", text: shorten(text, max) || " " };
}

export function contextBlock(text: string): ContextBlock {
  return { type: "context", elements: [plainText(text, limits.sectionText)] };
}

export function button(label: string, actionId: string, value: string, style?: "primary" | "danger"): Button {
  const text = plainText(label, limits.buttonText);
  return { type: "button", text, action_id: actionId, value, ...(style ? { style } : {}) };
}

export function actions(elements: ActionsBlock["elements"], blockId?: string): ActionsBlock {
  return withId({ type: "actions", elements }, blockId);
}

function withId<T extends KnownBlock>(block: T, blockId: string | undefined): T {
  return blockId === undefined ? block : { ...block, block_id: blockId };
}
