/** Something that the palette can open or do. */
export interface PaletteItem {
  id: string;
  kind: "command" | "note" | "session" | "room" | "setting";
  text: string;
  about: string;
  run(): void;
}

const maxOfKind = 6;
const kindOrder = ["command", "note", "session", "room", "setting"] as const;

/** Items that contain every word, best first: at the start of the text, at the start of a word, anywhere. */
export function matchItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items.filter(({ kind }) => kind === "command");
  const scored = items.flatMap((item) => {
    const text = `${item.text} ${item.about}`.toLowerCase();
    const scores = words.map((word) => scoreWord(text, word));
    return scores.includes(0) ? [] : [{ item, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  const best = scored.toSorted((a, b) => b.score - a.score).map(({ item }) => item);
  return kindOrder.flatMap((kind) => best.filter((item) => item.kind === kind).slice(0, maxOfKind));
}

function scoreWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at <= 0) return at === 0 ? 3 : 0;
  return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? 2 : 1;
}
