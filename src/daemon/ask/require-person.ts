import type { Peer } from "../../http/peer.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit, AuditEntry } from "./audit.ts";
import type { CallerCheck } from "./caller.ts";

/** Throws, and leaves a line in the audit log, unless a person is at the other end: an agent may not decide for its person. */
export type RequirePerson = (
  peer: Peer,
  about: Pick<AuditEntry, "action" | "place" | "questionId">,
) => Promise<void>;

export function makeRequirePerson(caller: CallerCheck, audit: Audit): RequirePerson {
  return async (peer, about) => {
    const verdict = await caller.mayDecide(peer);
    if (verdict.may) return;
    audit.record({ ...about, result: "refused", who: "a process on this machine", detail: verdict.why });
    throw new AppError("may_not_decide", `An agent may not do this for its person: ${verdict.why}.`);
  };
}
