import { signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";

const storageKey = "rookery.unsent";

interface Draft {
  /** Changes with the text. Sending the same text again after a lost response does not create a second message. */
  id: string;
  text: string;
}

/** Unsent texts by recipient. They survive a reload and end with the tab. */
export const drafts = signal(parseJson(sessionStorage.getItem(storageKey) ?? "{}") as Record<string, Draft>);

export function saveDraft(to: string, text: string): void {
  const { [to]: _before, ...others } = drafts.value;
  drafts.value = text === "" ? others : { ...others, [to]: { id: crypto.randomUUID(), text } };
  sessionStorage.setItem(storageKey, JSON.stringify(drafts.value));
}

/** Inserts the text before the current draft. */
export function restoreDraft(to: string, text: string): void {
  saveDraft(to, [text, drafts.value[to]?.text].filter(Boolean).join("\n"));
}

export function addToDraft(to: string, word: string): void {
  saveDraft(to, `${(drafts.value[to]?.text ?? "").trimEnd()} ${word} `.trimStart());
}
