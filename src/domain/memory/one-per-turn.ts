/** A search result and its turn. */
export interface TurnDocument {
  kind: string;
  /** Undefined for a document that belongs to no turn. */
  turnId: string | undefined;
  score: number;
}

/** Factor for further notes of the same turn: they differ in content, but the turn is already listed. */
const furtherNote = 0.6;
/** A note represents its turn if it scores nearly as high as the turn's best document. */
const nearlyAsGood = 0.6;

/**
 * Lists each turn once, at the score of its best document, so that ten results are ten answers. A note represents the
 * turn before its summary, and a summary before the prompt, because they contain the answer. Further notes come later,
 * other documents of a listed turn last. Expects the best first.
 */
export function listTurnsOnce<T extends TurnDocument>(ranked: readonly T[]): T[] {
  const byTurn = Map.groupBy(ranked, (one) => one.turnId ?? one);
  const placed = [...byTurn.values()].flatMap((documents) => {
    const best = documents[0] as T;
    const first = chooseDocument(documents);
    return documents.map((one) => ({ one, place: one === first ? best.score : placeOf(one) }));
  });
  return placed
    .toSorted((a, b) => b.place - a.place)
    .map(({ one, place }) => ({ ...one, score: Math.max(one.score, place) }));
}

function chooseDocument<T extends TurnDocument>(documents: readonly T[]): T {
  const best = documents[0] as T;
  const good = documents.filter(({ score }) => score >= nearlyAsGood * best.score);
  return (
    good.find(({ kind }) => kind === "observation") ?? good.find(({ kind }) => kind === "summary") ?? best
  );
}

/** Below all turns not yet listed, by score, unless it is a note. */
function placeOf({ kind, score }: TurnDocument): number {
  return kind === "observation" ? furtherNote * score : -1 / Math.max(score, 1e-9);
}
