import type { Store } from "../../store/open-store.ts";
import { nameOf } from "../../store/tombstones.ts";

interface CheckedTurn {
  sessionId: string;
  promptId: string | null;
  key: string;
  startedAt: number;
}

/**
 * True if the turn must not be stored again. A turn that repeats recently forgotten words is marked as forgotten too.
 */
export function isForgottenTurn(store: Store, turn: CheckedTurn, project: string, nowMs: number): boolean {
  const { tombstones } = store;
  if (tombstones.hasTurn(turn) || tombstones.covers(project, turn.startedAt)) return true;
  if (!tombstones.matchesForgotten(() => JSON.stringify(turn), nowMs)) return false;
  tombstones.add([nameOf.key(turn.key)], nowMs);
  return true;
}
