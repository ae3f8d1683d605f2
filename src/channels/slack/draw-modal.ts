import type { InputBlock, ModalView } from "@slack/web-api";
import * as z from "zod";
import type { Card } from "../../domain/ask/card.ts";
import { tryParseJson } from "../../shared/json.ts";
import { makeSelectId } from "./action-ids.ts";
import { plainText } from "./blocks.ts";
import { limits } from "./limits.ts";

/** Context of a modal; Slack returns it unchanged when the modal is submitted. */
const modalData = z.object({
  act: z.enum(["words", "deny"]),
  ticket: z.string(),
  channel: z.string(),
  thread: z.string(),
  /** The selection on the card when the modal was opened: one list of option numbers per prompt. */
  chosen: z.array(z.array(z.number())),
});
export type ModalData = z.infer<typeof modalData>;

export const reasonId = "reason";

export function drawDenyModal(data: ModalData): ModalView {
  const label = plainText("Reason (shown to the agent)", 2_000);
  return modal(data, "Deny", "Deny", [input(reasonId, label, true)]);
}

/** One text input per prompt, optional for prompts already answered on the card. */
export function drawOwnAnswerModal(data: ModalData, card: Card): ModalView {
  const inputs = card.prompts.map((prompt, index) => {
    const chosen = data.chosen[index] ?? [];
    const labels = chosen.map((option) => prompt.options[option]?.label ?? "").join(", ");
    const text = chosen.length > 0 ? `${prompt.text} (chosen: ${labels})` : prompt.text;
    return input(makeSelectId(index), plainText(text, 1_000), chosen.length > 0);
  });
  return modal(data, "Your answer", "Send", inputs);
}

/** Replaces a modal whose answer came too late or was rejected. */
export function drawMessageModal(text: string): ModalView {
  return {
    type: "modal",
    title: plainText("Not accepted", limits.modalTitle),
    close: plainText("Close", limits.modalTitle),
    blocks: [{ type: "section", text: plainText(text, limits.sectionText) }],
  };
}

/** Undefined if it is not one of our modals. */
export function readModalData(text: string | undefined): ModalData | undefined {
  return modalData.safeParse(tryParseJson(text ?? "")).data;
}

function input(id: string, label: InputBlock["label"], isOptional: boolean): InputBlock {
  const element = {
    type: "plain_text_input" as const,
    action_id: id,
    multiline: true,
    max_length: limits.modalInput,
  };
  return { type: "input", block_id: id, label, element, optional: isOptional };
}

function modal(data: ModalData, title: string, submit: string, blocks: InputBlock[]): ModalView {
  return {
    type: "modal",
    title: plainText(title, limits.modalTitle),
    submit: plainText(submit, limits.modalTitle),
    close: plainText("Cancel", limits.modalTitle),
    private_metadata: JSON.stringify(data),
    blocks,
  };
}
