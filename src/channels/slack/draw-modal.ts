import type { InputBlock, ModalView } from "@slack/web-api";
import * as z from "zod";
import type { Card } from "../../domain/ask/card.ts";
import { parseJson } from "../../shared/json.ts";
import { chooseId } from "./action-ids.ts";
import { plain } from "./blocks.ts";
import { limits } from "./limits.ts";

/** What a modal needs to know when it comes back; Slack keeps it for us. */
const modalData = z.object({
  act: z.enum(["words", "deny"]),
  ticket: z.string(),
  channel: z.string(),
  thread: z.string(),
  /** What had been chosen on the card when the modal was opened: one list of option numbers per prompt. */
  chosen: z.array(z.array(z.number())),
});
export type ModalData = z.infer<typeof modalData>;

export const reasonId = "reason";

export function drawDenyModal(data: ModalData): ModalView {
  const label = plain("Why? The agent reads it.", 2_000);
  return modal(data, "Deny", "Deny", [input(reasonId, label, true)]);
}

/** One text per prompt; one that had been chosen on the card may stay empty. */
export function drawWordsModal(data: ModalData, card: Card): ModalView {
  const inputs = card.prompts.map((prompt, index) => {
    const chosen = data.chosen[index] ?? [];
    const labels = chosen.map((option) => prompt.options[option]?.label ?? "").join(", ");
    const text = chosen.length > 0 ? `${prompt.text} (chosen: ${labels})` : prompt.text;
    return input(chooseId(index), plain(text, 1_000), chosen.length > 0);
  });
  return modal(data, "Your answer", "Send", inputs);
}

/** In the place of a modal whose words came too late, or were not taken. */
export function drawMessageModal(text: string): ModalView {
  return {
    type: "modal",
    title: plain("Not taken", limits.modalTitle),
    close: plain("Close", limits.modalTitle),
    blocks: [{ type: "section", text: plain(text, limits.sectionText) }],
  };
}

export function readModalData(text: string | undefined): ModalData | undefined {
  try {
    return modalData.parse(parseJson(text ?? ""));
  } catch {
    return undefined; // Not a modal of ours.
  }
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
    title: plain(title, limits.modalTitle),
    submit: plain(submit, limits.modalTitle),
    close: plain("Cancel", limits.modalTitle),
    private_metadata: JSON.stringify(data),
    blocks,
  };
}
