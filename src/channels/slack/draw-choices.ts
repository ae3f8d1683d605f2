import type { Button, KnownBlock, PlainTextOption } from "@slack/web-api";
import type { Card } from "../../domain/ask/card.ts";
import type { Prompt } from "../../domain/ask/question.ts";
import { actionIds, makeSelectId, makePickId } from "./action-ids.ts";
import { actions, button, plainText } from "./blocks.ts";
import { limits } from "./limits.ts";

/** True if one button press cannot answer the card: several prompts, a multiple choice, or too many options for buttons. */
export function isForm({ prompts }: Card): boolean {
  const [only] = prompts;
  if (!only || prompts.length > 1) return prompts.length > 1;
  return only.isMulti || only.options.length >= limits.actionElements;
}

/** The row of buttons under a card. */
export function drawButtons(card: Card): KnownBlock {
  const { kind, prompts, ticket, sessionRule, danger } = card;
  if (kind !== "choice") {
    const isPlan = kind === "plan";
    const guard = (each: Button): Button => (danger ? askAgain(each, danger) : each);
    const allow = guard(button(isPlan ? "Approve" : "Allow once", actionIds.allowOnce, ticket, "primary"));
    const session = guard(button("Allow for session", actionIds.allowSession, ticket));
    const deny = button(isPlan ? "Keep planning …" : "Deny …", actionIds.deny, ticket, "danger");
    return actions(sessionRule && !isPlan ? [allow, session, deny] : [allow, deny]);
  }
  const words = (label: string): Button => button(label, actionIds.words, ticket);
  if (isForm(card))
    return actions([button("Send", actionIds.submit, ticket, "primary"), words("Write an answer …")]);
  const options = prompts[0]?.options ?? [];
  if (options.length === 0) return actions([words("Answer …")]);
  return actions([
    ...options.map(({ label }, index) => button(label, makePickId(0, index), ticket)),
    words("Other …"),
  ]);
}

/** Slack asks before it sends the press. */
function askAgain(allow: Button, danger: string): Button {
  return {
    ...allow,
    style: "danger",
    confirm: {
      title: plainText("Allow it?", limits.confirmTitle),
      text: plainText(`Careful: this ${danger}.`, limits.confirmText),
      confirm: plainText("Allow", limits.confirmButton),
      deny: plainText("Cancel", limits.confirmButton),
      style: "danger",
    },
  };
}

/** The select, radio buttons or checkboxes of one prompt of a form. */
export function drawChooser(prompt: Prompt, index: number): KnownBlock {
  const id = makeSelectId(index);
  // Short labels keep a long list within the size limit of a message.
  const max = prompt.options.length < limits.actionElements ? limits.optionText : 50;
  const options = prompt.options
    .slice(0, limits.selectOptions)
    .map(({ label }, value): PlainTextOption => ({ text: plainText(label, max), value: String(value) }));
  const isShort = options.length <= limits.checkboxes;
  if (prompt.isMulti && isShort) return actions([{ type: "checkboxes", action_id: id, options }], id);
  if (isShort) return actions([{ type: "radio_buttons", action_id: id, options }], id);
  const placeholder = plainText("Choose", 150);
  if (!prompt.isMulti) return actions([{ type: "static_select", action_id: id, placeholder, options }], id);
  const text = plainText("Choose any number:", limits.sectionText);
  const accessory = { type: "multi_static_select" as const, action_id: id, placeholder, options };
  return { type: "section", block_id: id, text, accessory };
}
