import { relatedWords, synonymGroups, wordForms } from "./thesaurus-words.ts";

/** Stems of words that are used for the same thing, and the value of each: 1 is the word itself. */
export type Synonyms = ReadonlyMap<string, number>;

/** Finds words that are used for the same thing, whatever their inflection. Takes and gives stems. */
export type Thesaurus = (stem: string) => Synonyms;

const none: Synonyms = new Map();
const values = { form: 1, synonym: 0.7 };

/** `stem`: stems many words at once. */
export function makeThesaurus(stem: (words: readonly string[]) => string[]): Thesaurus {
  const entries = new Map<string, Map<string, number>>();
  const read = [wordForms, synonymGroups, relatedWords].map(readEntries);
  const [forms = [], groups = [], related = []] = stemEntries(read, stem);

  function add(one: string, other: string, value: number): void {
    if (one === other) return;
    const known = entries.get(one) ?? new Map<string, number>();
    known.set(other, Math.max(value, known.get(other) ?? 0));
    entries.set(one, known);
  }
  function addGroup(stems: readonly string[], value: number): void {
    for (const one of stems) for (const other of stems) add(one, other, value);
  }
  for (const stems of forms) addGroup(stems, values.form);
  for (const stems of groups) addGroup(stems, values.synonym);
  for (const [head = "", ...others] of related)
    for (const other of others) {
      add(head, other, values.synonym);
      add(other, head, values.synonym);
    }
  return (one) => entries.get(one) ?? none;
}

function readEntries(list: string): string[][] {
  return list.split(",").map((entry) => entry.trim().split(/\s+/));
}

/** Stems all words in one call, which takes far less time than one call for each entry. */
function stemEntries(
  lists: readonly string[][][],
  stem: (words: readonly string[]) => string[],
): string[][][] {
  const words = [...new Set(lists.flat(2))];
  const stems = new Map(stem(words).map((one, n) => [words[n], one]));
  return lists.map((entries) => entries.map((entry) => entry.map((word) => stems.get(word) ?? word)));
}
