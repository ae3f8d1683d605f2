import { isWork, type NoteSource } from "./note-score.ts";
import { contentWords } from "./open-ends.ts";

interface FoundNote {
  type: string;
  title: string;
  narrative: string;
  createdAt: number;
  source: NoteSource;
}

/** The note of the later work tells it better: a finding reads as if it were still so. */
export const overtakenFactor = 0.6;
/** Minimum share, and number, of the words in the title of later work that a finding must contain. */
const minFixed = { share: 0.6, words: 3 };
/** The same for the titles of two pieces of work. */
const minRepeated = { share: 0.5, words: 2 };

/** Whether later work of the project is about what a note found, or did. */
export function makeOvertakenFinder(notes: readonly FoundNote[]): (note: FoundNote) => boolean {
  const work = notes
    .filter(({ type }) => isWork(type))
    .map(({ title, createdAt }) => ({ words: [...contentWords(title)], createdAt }));

  function isFixed({ title, narrative, createdAt }: FoundNote): boolean {
    const told = contentWords(`${title} ${narrative}`);
    return work.some(
      (later) =>
        later.createdAt > createdAt &&
        later.words.length >= minFixed.words &&
        countIn(later.words, told) >= minFixed.share * later.words.length,
    );
  }

  function isRepeated({ title, createdAt }: FoundNote): boolean {
    const own = contentWords(title);
    return work.some((later) => {
      const common = countIn(later.words, own);
      const shorter = Math.min(own.size, later.words.length);
      return (
        later.createdAt > createdAt && common >= minRepeated.words && common >= minRepeated.share * shorter
      );
    });
  }

  return (note) => {
    if (note.type === "decision" || note.type === "preference" || note.source === "composed") return false;
    return isWork(note.type) ? isRepeated(note) : isFixed(note);
  };
}

function countIn(words: readonly string[], set: ReadonlySet<string>): number {
  return words.filter((word) => set.has(word)).length;
}
