import type { Peer } from "../../http/peer.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit, AuditEntry } from "./audit.ts";
import type { CallerCheck } from "./caller.ts";

/** Throws and writes an audit row unless the caller is a person: an agent may not decide for its user. */
export type RequirePerson = (
  peer: Peer,
  /** `subject`: the thing to decide, if the action alone does not name it. */
  about: Pick<AuditEntry, "action" | "place" | "questionId"> & { subject?: string },
) => Promise<void>;

export function makeRequirePerson(caller: CallerCheck, audit: Audit): RequirePerson {
  return async (peer, { subject, ...about }) => {
    const verdict = peer?.isAgent
      ? { may: false as const, why: "the command was started by an agent" }
      : await caller.mayDecide(peer);
    if (verdict.may) return;
    const detail = subject ? `${subject}: ${verdict.why}` : verdict.why;
    audit.record({ ...about, result: "refused", who: "a process on this machine", detail });
    throw new AppError("may_not_decide", `An agent may not do this for its person: ${verdict.why}.`);
  };
}
