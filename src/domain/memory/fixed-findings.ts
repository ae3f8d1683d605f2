import { isWork, type NoteSource } from "./note-score.ts";
import { contentWords } from "./open-ends.ts";

interface FoundNote {
  type: string;
  title: string;
  narrative: string;
  createdAt: number;
  source: NoteSource;
}

/** A finding reads as if it were still so; the note of the later work tells it better. */
export const fixedFactor = 0.6;
/** Minimum share, and number, of the words in the title of later work that a finding must contain. */
const minFixed = { share: 0.6, words: 3 };

/** Whether later work of the project is about what a note found. */
export function makeFixFinder(notes: readonly FoundNote[]): (note: FoundNote) => boolean {
  const work = notes
    .filter(({ type }) => isWork(type))
    .map(({ title, createdAt }) => ({ words: [...contentWords(title)], createdAt }))
    .filter(({ words }) => words.length >= minFixed.words);
  return ({ type, title, narrative, createdAt, source }) => {
    if (isWork(type) || type === "decision" || type === "preference" || source === "composed") return false;
    const told = contentWords(`${title} ${narrative}`);
    return work.some(
      (later) =>
        later.createdAt > createdAt &&
        later.words.filter((word) => told.has(word)).length >= minFixed.share * later.words.length,
    );
  };
}
