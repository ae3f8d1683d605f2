import type { ModalView } from "@slack/web-api";
import type { Card } from "../../domain/ask/card.ts";
import type { Answer } from "../../domain/ask/question.ts";
import { actionIds, makeSelectId, parsePickId } from "./action-ids.ts";
import { drawDenyModal, drawOwnAnswerModal, type ModalData, reasonId, readModalData } from "./draw-modal.ts";
import type { BlockActions, StateValues, ViewSubmission } from "./inbound.ts";

/** The meaning of a button press. `nothing`: only a selection changed, the card is not submitted yet. */
type Intent =
  | { kind: "nothing" }
  | { kind: "modal"; view: ModalView }
  | { kind: "answer"; ticket: string; content: Answer }
  | { kind: "incomplete"; message: string };

/** Reads a button press. If `findCard` no longer knows the card (it has closed), the button label is the answer. */
export function readAction(payload: BlockActions, findCard: (ticket: string) => Card | undefined): Intent {
  const [action] = payload.actions;
  const ticket = action?.value;
  if (!action || !ticket) return { kind: "nothing" };
  const card = findCard(ticket);
  const answer = (content: Answer): Intent => ({ kind: "answer", ticket, content });

  const pick = parsePickId(action.action_id);
  if (pick) {
    const label = card?.prompts[pick.prompt]?.options[pick.option]?.label;
    return answer({ type: "answers", answers: [[label ?? action.text?.text ?? ""]] });
  }
  const chosen = readChosen(payload.state?.values ?? {}, card);
  const data = (act: ModalData["act"]): ModalData => ({
    act,
    ticket,
    chosen,
    channel: payload.channel.id,
    thread: payload.message.ts,
  });
  switch (action.action_id) {
    case actionIds.allowOnce:
      return answer({ type: "allow", scope: "once" });
    case actionIds.allowSession:
      return answer({ type: "allow", scope: "session" });
    case actionIds.deny:
      return { kind: "modal", view: drawDenyModal(data("deny")) };
    case actionIds.words:
      if (!card) return answer({ type: "answers", answers: [] });
      return { kind: "modal", view: drawOwnAnswerModal(data("words"), card) };
    case actionIds.submit:
      return card ? readForm(card, ticket, chosen) : answer({ type: "answers", answers: [] });
    default:
      return { kind: "nothing" };
  }
}

/** Reads a submitted modal; undefined if it is not one of ours. */
export function readSubmission(
  payload: ViewSubmission,
  findCard: (ticket: string) => Card | undefined,
): { data: ModalData; content: Answer } | undefined {
  const data = readModalData(payload.view.private_metadata);
  if (!data) return undefined;
  const values = payload.view.state?.values ?? {};
  const typed = (id: string): string => values[id]?.[id]?.value?.trim() ?? "";
  if (data.act === "deny") return { data, content: { type: "deny", reason: typed(reasonId) } };
  const card = findCard(data.ticket);
  const answers = data.chosen.map((chosen, index) => {
    const words = typed(makeSelectId(index));
    return words ? [words] : chosen.map((option) => card?.prompts[index]?.options[option]?.label ?? "");
  });
  return { data, content: { type: "answers", answers } };
}

function readForm(card: Card, ticket: string, chosen: number[][]): Intent {
  const open = card.prompts.find((prompt, index) => !prompt.isMulti && (chosen[index] ?? []).length === 0);
  if (open)
    return { kind: "incomplete", message: `Not sent yet: please choose an answer to “${open.text}”.` };
  const answers = card.prompts.map((prompt, index) =>
    (chosen[index] ?? []).map((option) => prompt.options[option]?.label ?? ""),
  );
  return { kind: "answer", ticket, content: { type: "answers", answers } };
}

/** One list of option numbers per prompt, without numbers that the card does not have. */
function readChosen(values: StateValues, card: Card | undefined): number[][] {
  return (card?.prompts ?? []).map((prompt, index) => {
    const chooser = values[makeSelectId(index)]?.[makeSelectId(index)];
    const options = chooser?.selected_options ?? (chooser?.selected_option ? [chooser.selected_option] : []);
    return options.map(({ value }) => Number(value)).filter((option) => prompt.options[option] !== undefined);
  });
}
