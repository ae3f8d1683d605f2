import type { Store } from "../../store/open-store.ts";
import { nameOf } from "../../store/tombstones.ts";

interface ToldTurn {
  sessionId: string;
  promptId: string | null;
  key: string;
  startedAt: number;
}

/** May nothing of this turn come back? One that repeats words just forgotten may not from now on. */
export function isForgottenTurn(store: Store, turn: ToldTurn, project: string, nowMs: number): boolean {
  const { tombstones } = store;
  if (tombstones.hasTurn(turn) || tombstones.covers(project, turn.startedAt)) return true;
  if (!tombstones.repeats(() => JSON.stringify(turn), nowMs)) return false;
  tombstones.add([nameOf.key(turn.key)], nowMs);
  return true;
}
