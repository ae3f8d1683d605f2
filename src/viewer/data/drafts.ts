import { signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";

const storageKey = "rookery.unsent";

interface Draft {
  /** Of this very text: sent again after an answer was lost, it is the same message. */
  id: string;
  text: string;
}

/** What was written and not sent yet, by whom it is for. It outlives its page and a reload, and ends with the tab. */
export const drafts = signal(parseJson(sessionStorage.getItem(storageKey) ?? "{}") as Record<string, Draft>);

export function keepDraft(to: string, text: string): void {
  const { [to]: _before, ...others } = drafts.value;
  drafts.value = text === "" ? others : { ...others, [to]: { id: crypto.randomUUID(), text } };
  sessionStorage.setItem(storageKey, JSON.stringify(drafts.value));
}

/** Before what stands there already. */
export function putBack(to: string, text: string): void {
  keepDraft(to, [text, drafts.value[to]?.text].filter(Boolean).join("\n"));
}

export function addToDraft(to: string, word: string): void {
  keepDraft(to, `${(drafts.value[to]?.text ?? "").trimEnd()} ${word} `.trimStart());
}
