import { signal } from "@preact/signals";

const storageKey = "rookery.drafts";

/** What was written and not sent yet, by whom it is for. It outlives its page and a reload, and ends with the tab. */
export const drafts = signal(
  JSON.parse(sessionStorage.getItem(storageKey) ?? "{}") as Record<string, string>,
);

export function keepDraft(to: string, text: string): void {
  const { [to]: _before, ...others } = drafts.value;
  drafts.value = text === "" ? others : { ...others, [to]: text };
  sessionStorage.setItem(storageKey, JSON.stringify(drafts.value));
}

/** Before what stands there already. */
export function putBack(to: string, text: string): void {
  keepDraft(to, [text, drafts.value[to]].filter(Boolean).join("\n"));
}

export function addToDraft(to: string, word: string): void {
  keepDraft(to, `${(drafts.value[to] ?? "").trimEnd()} ${word} `.trimStart());
}
