import type { Peer } from "../../http/peer.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit, AuditEntry } from "./audit.ts";
import type { CallerCheck } from "./caller.ts";
import type { Consents } from "./consents.ts";

/** Where the person decides: in a viewer tab that they opened, or on the command line of their own terminal. */
type DecisionPlace = "viewer" | "cli";

/**
 * Throws and writes an audit row unless the caller is a person: an agent may not decide for its user. The token is not
 * enough: the caller has the secret of a viewer tab, or a terminal that belongs to no session.
 */
export type RequirePerson = (
  peer: Peer,
  /** `subject`: the thing to decide, if the action alone does not name it. */
  about: Pick<AuditEntry, "action" | "place" | "questionId"> & { subject?: string },
) => Promise<DecisionPlace>;

export function makeRequirePerson(caller: CallerCheck, consents: Consents, audit: Audit): RequirePerson {
  return async (peer, { subject, ...about }) => {
    const place: DecisionPlace =
      peer?.consent !== undefined && consents.isValid(peer.consent) ? "viewer" : "cli";
    const verdict = peer?.isAgent
      ? { may: false as const, why: "the command was started by an agent" }
      : await caller.mayDecide(peer, { needsTerminal: place === "cli" });
    if (verdict.may) return place;
    const detail = subject ? `${subject}: ${verdict.why}` : verdict.why;
    audit.record({ ...about, result: "refused", who: "a process on this machine", detail });
    throw new AppError("may_not_decide", `An agent may not do this for its person: ${verdict.why}.`);
  };
}
