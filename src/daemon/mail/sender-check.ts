import type { Peer } from "../../http/peer.ts";
import { AppError } from "../../shared/errors.ts";
import { isSameProcess } from "../../shared/processes.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { CallerCheck } from "../ask/caller.ts";

/** The session's process that the request names, and the connection of the request. */
interface SenderClaim {
  hostPid?: number | undefined;
  peer: Peer;
}

/**
 * The sender of an API request, looked up by its connection. A caller that names a session's process must be related to
 * it; any other caller is the person if its process does not run under a coding agent. An agent is never taken for its
 * person, nor for another agent.
 */
export interface SenderCheck {
  /** Undefined for the person at this machine. */
  identify(claim: SenderClaim): Promise<AgentRow | undefined>;
  /** Throws for an agent. */
  requirePerson(claim: SenderClaim): Promise<void>;
  /** The agent of the session's process that the caller names. */
  requireAgent(claim: SenderClaim & { hostPid: number }): Promise<AgentRow>;
}

export function makeSenderCheck(store: Store, check: CallerCheck): SenderCheck {
  function agentOf(hostPid: number): AgentRow {
    const session = store.sessions.latestOfPid(hostPid);
    const isRunning = session && isSameProcess(hostPid, session.pidStarted);
    const agent = isRunning && store.agents.byId(session.agentId);
    if (!agent) throw new AppError("session_not_found", `No session of process ${hostPid} is known.`);
    return agent;
  }

  async function requireAgent({ hostPid, peer }: SenderClaim & { hostPid: number }): Promise<AgentRow> {
    const agent = agentOf(hostPid);
    const verdict = await check.maySpeakFor(hostPid, peer);
    if (verdict.may) return agent;
    throw new AppError(
      "not_your_session",
      `Could not verify that ${agent.name} made this request: ${verdict.why}.`,
    );
  }

  function refuse(why: string): never {
    throw new AppError("may_not_decide", `Could not verify that a person made this request: ${why}.`);
  }

  return {
    requireAgent,
    async identify({ hostPid, peer }) {
      if (hostPid !== undefined) return requireAgent({ hostPid, peer });
      const verdict = await check.mayDecide(peer);
      if (verdict.may) return undefined;
      return verdict.host === undefined ? refuse(verdict.why) : agentOf(verdict.host);
    },
    async requirePerson({ hostPid, peer }) {
      if (hostPid !== undefined) refuse("it comes from a session");
      const verdict = await check.mayDecide(peer);
      if (!verdict.may) refuse(verdict.why);
    },
  };
}
