import type { Card } from "../domain/ask/card.ts";
import type { Answer } from "../domain/ask/question.ts";
import { makeButtonData, makePick, parseButtonData, parsePick, readButton } from "./card-buttons.ts";
import { line } from "./card-text.ts";

export interface Button {
  text: string;
  data: string;
}

type Scope = "once" | "session";

/** The meaning of a button press. */
type Press =
  | { kind: "answer"; content: Answer }
  /** Selects or deselects an option of a form. */
  | { kind: "toggle"; chosen: number[][] }
  /** The first press of a dangerous permission. */
  | { kind: "arm"; scope: Scope }
  /** Asks for a text: a reason, or an answer in one's own words. */
  | { kind: "write" }
  | { kind: "incomplete"; message: string };

const label = { line: 60 };
const mark = "☑ ";

interface KeyboardState {
  /** A choice with more options than this has no buttons: people reply with numbers. */
  maxOptions: number;
  /** The selected options of a form. */
  chosen?: number[][];
  /** The button of a dangerous permission that was pressed once. */
  armed?: Scope;
}

/** The rows of buttons under a card. A button carries at most 64 bytes: its action and the card's ticket. */
export function drawButtons(card: Card, { maxOptions, chosen = [], armed }: KeyboardState): Button[][] {
  const { kind, prompts, ticket, sessionRule, danger } = card;
  const button = (text: string, action: string): Button => ({ text, data: makeButtonData(action, ticket) });
  if (kind === "plan")
    return rows(
      [button("Approve", "once")],
      [button("Keep planning", "deny")],
      [button("Say what to change …", "write")],
    );
  const allow = (text: string, scope: Scope) =>
    danger && armed !== scope
      ? button(`⚠ ${text} …`, `arm.${scope}`)
      : button(danger ? `Press again: ${text}` : text, scope);
  if (kind === "permission")
    return rows(
      [allow("Allow once", "once"), ...(sessionRule ? [allow("Allow for session", "session")] : [])],
      [button("Deny", "deny"), button("Deny with a reason …", "write")],
    );
  if (prompts.reduce((sum, { options }) => sum + options.length, 0) > maxOptions) return [];
  const hasForm = isForm(card);
  const options = prompts.flatMap((prompt, index) =>
    prompt.options.map((option, number) => {
      const isChosen = chosen[index]?.includes(number);
      const prefix = hasForm && prompts.length > 1 ? `${index + 1}) ` : "";
      return [
        button(`${isChosen ? mark : ""}${prefix}${line(option.label, label)}`, makePick(index, number)),
      ];
    }),
  );
  const write = prompts.length === 1 ? [button("Answer in your own words …", "write")] : [];
  return rows(...options, ...(hasForm && options.length > 0 ? [[button("Send", "send")]] : []), write);
}

/** True if one press cannot answer the card: several prompts, or a multiple choice. */
function isForm({ prompts }: Card): boolean {
  return prompts.length > 1 || prompts[0]?.isMulti === true;
}

function rows(...list: Button[][]): Button[][] {
  return list.filter((row) => row.length > 0);
}

/** Reads a press. If the card is no longer known (it has closed), the button's label is the answer. */
export function readPress(
  action: string,
  card: Card | undefined,
  shown: readonly Button[],
  chosen: number[][] | undefined,
): Press | undefined {
  if (action === "write") return { kind: "write" };
  if (action === "arm.once" || action === "arm.session")
    return { kind: "arm", scope: action === "arm.once" ? "once" : "session" };
  const picked = chosen ?? readChosen(shown, card);
  if (action === "send") return card ? readForm(card, picked) : answer([]);
  const pick = parsePick(action);
  if (pick && card && isForm(card))
    return { kind: "toggle", chosen: toggle(card, picked, pick.prompt, pick.option) };
  const content = readButton(action, card, findLabel(shown, action));
  return content && { kind: "answer", content };
}

function answer(answers: string[][]): Press {
  return { kind: "answer", content: { type: "answers", answers } };
}

function readForm({ prompts }: Card, chosen: number[][]): Press {
  const open = prompts.find((prompt, index) => !prompt.isMulti && (chosen[index] ?? []).length === 0);
  if (open)
    return {
      kind: "incomplete",
      message: `Not sent yet: choose an answer to “${line(open.text, { line: 120 })}”.`,
    };
  return answer(
    prompts.map((prompt, index) =>
      (chosen[index] ?? []).map((option) => prompt.options[option]?.label ?? ""),
    ),
  );
}

function toggle({ prompts }: Card, chosen: number[][], prompt: number, option: number): number[][] {
  return prompts.map(({ isMulti }, index) => {
    const current = chosen[index] ?? [];
    if (index !== prompt) return current;
    if (!isMulti) return [option];
    return current.includes(option)
      ? current.filter((other) => other !== option)
      : [...current, option].toSorted((a, b) => a - b);
  });
}

/** The selection is in the message itself, so that a restart does not lose it. */
function readChosen(shown: readonly Button[], card: Card | undefined): number[][] {
  const marked = shown.filter(({ text }) => text.startsWith(mark));
  const picks = marked.flatMap(({ data }) => {
    const pick = parsePick(parseButtonData(data)?.action ?? "");
    return pick ? [pick] : [];
  });
  return (card?.prompts ?? []).map(({ options }, index) =>
    picks.filter(({ prompt, option }) => prompt === index && options[option]).map(({ option }) => option),
  );
}

function findLabel(shown: readonly Button[], action: string): string {
  return shown.find(({ data }) => data.startsWith(`${action} `))?.text ?? "";
}
