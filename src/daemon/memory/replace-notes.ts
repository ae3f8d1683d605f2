import { findReplaced } from "../../domain/memory/model-answer.ts";
import type { PlainNotes } from "../../store/model-turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { keepSession } from "./keep-session.ts";
import { type KeptTurn, keepTurn, type TurnFindings } from "./keep-turn.ts";

/**
 * Replaces the plain notes with a model's, in the caller's transaction. Undefined, without a change, if a person has
 * deleted or edited one of them in the meantime: manual changes are not undone.
 */
export function replaceNotes(
  store: Store,
  project: ProjectRow,
  findings: TurnFindings,
  plain: PlainNotes,
): KeptTurn | undefined {
  const kept = plain.observations.flatMap((id) => store.notes.byId(id) ?? []);
  const isTouched = kept.length < plain.observations.length || kept.some((o) => o.updatedAt !== o.createdAt);
  if (isTouched || (plain.summary !== null && !store.summaries.ofTurn(findings.turnId))) return undefined;
  for (const { id } of findReplaced(kept, findings.notes)) {
    store.index.remove("observation", id);
    store.notes.remove(id);
  }
  const replaced = keepTurn(store, project, findings);
  keepSession(store, findings.sessionId);
  return replaced;
}
