import { findHolder } from "../../domain/mail/lease.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { QuestionRow } from "../../store/questions.ts";
import { relativeToCheckout } from "../identity/project.ts";

/** The name of another agent that has claimed the file that an open question wants to change. */
export function findClaim(
  store: Store,
  clock: Clock,
  { state, subject, sessionId, project: path, agentId }: QuestionRow,
): string | null {
  if (state !== "open" || subject?.format !== "diff") return null;
  const project = store.projects.byPath(path);
  const running = project ? store.leases.listActive(clock(), project.id) : [];
  const cwd = sessionId === null ? null : store.sessions.byId(sessionId)?.cwd;
  if (!project || !cwd || running.length === 0) return null;
  const file = relativeToCheckout(cwd, subject.text.split("\n", 1)[0] ?? "");
  const lease = findHolder(file, project.id, agentId ?? "", running, clock());
  return lease ? (store.agents.byId(lease.holder)?.name ?? lease.holder) : null;
}
