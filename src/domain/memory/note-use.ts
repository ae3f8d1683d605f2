import { isStopWord, listWords } from "./words.ts";

/** The sign that a note was used; `no` if there is none. */
export type NoteUse = "opened" | "named" | "words" | "no";

interface NoteInTurn {
  id: string;
  /** Its title and text. */
  text: string;
}

/** A turn, as far as it shows the use of a note. */
interface UsingTurn {
  prompt: string;
  /** Ids or suffixes that the agent asked for with a tool. */
  opened: readonly string[];
  /** The agent's own text, edits and commands since the note was recalled. */
  said: string;
  /** Output of its tools: a source of words other than the note. */
  outputs: string;
}

/** Numbers and words of fewer letters occur by chance. */
const minLetters = 4;
const minShared = 3;
const minShare = 0.25;
const shortIdLength = 8;

/**
 * Whether a turn shows that a note was used. The rule prefers to miss a use: only words count that the agent wrote and
 * that are neither in the prompt nor in the output of a tool, at least three of them and a quarter of the note's.
 */
export function judgeNoteUse(note: NoteInTurn, { prompt, opened, said, outputs }: UsingTurn): NoteUse {
  if (opened.some((end) => note.id.endsWith(end))) return "opened";
  if (said.includes(note.id.slice(-shortIdLength))) return "named";
  const known = listDistinct(`${prompt}\n${outputs}`);
  const own = [...listDistinct(note.text)].filter((word) => !known.has(word));
  const written = listDistinct(said);
  const shared = own.filter((word) => written.has(word)).length;
  return shared >= minShared && shared >= minShare * own.length ? "words" : "no";
}

function listDistinct(text: string): Set<string> {
  return new Set(
    listWords(text).filter(
      (word) => word.length >= minLetters && !isStopWord(word) && !/^\p{N}+$/u.test(word),
    ),
  );
}
