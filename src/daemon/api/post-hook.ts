import { hostFor, resolveEvent } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { HookAnswer } from "../../protocol/api.ts";
import type { Peer } from "../../http/peer.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import { parseJson } from "../../shared/json.ts";
import { isSameProcess } from "../../shared/processes.ts";
import type { CallerCheck } from "../ask/caller.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { Preparation } from "../capture/preparation.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface PostedHook {
  /** The event by the host's own name for it; `host` is undefined if the caller does not name one. */
  event: string;
  host: string | undefined;
  raw: Uint8Array;
  id?: string | undefined;
  hostPid?: number | undefined;
  peer: Peer;
}

/** Stores an event that was posted to the API, as if the hook script had sent it. */
export type PostHook = (posted: PostedHook) => Promise<HookAnswer>;

interface PostHookDeps extends Pick<DaemonContext, "store" | "clock"> {
  caller: CallerCheck;
  ingest: Ingest;
  metrics: Metrics;
  preparation: Preparation;
}

export function makePostHook(deps: PostHookDeps): PostHook {
  const { clock, ingest, metrics, preparation } = deps;
  return async ({ raw, id = makeId(clock()), hostPid, peer, ...name }) => {
    const { host } = resolveEvent(name);
    const prepared = await preparation.prepare(raw, name);
    await requireOwnSession(deps, { sessionId: prepared.sessionId, hostPid, peer });
    const incoming = { id, host, hostPid, occurredAt: clock(), via: "api", prepared } as const;
    const { recorded, reply } = await ingest.submit(incoming, true);
    metrics.countEvent(prepared.event, "api");
    return {
      id,
      duplicate: !recorded.isNew,
      session: recorded.session.id,
      agent: recorded.agent.name,
      output: reply.stdout ? parseJson(reply.stdout) : null,
    };
  };
}

/**
 * The process identifies the session, so the API never changes which process belongs to which session. Once the process
 * of a session is known, only its own processes and a person may post the session's events.
 */
async function requireOwnSession(
  { store, caller }: PostHookDeps,
  { sessionId, hostPid, peer }: { sessionId: string; hostPid: number | undefined; peer: Peer },
): Promise<void> {
  const refuse = (why: string): never => {
    throw new AppError("not_your_session", `Could not accept an event of session ${sessionId}: ${why}.`);
  };
  const session = store.sessions.byId(sessionId);
  if (hostPid !== undefined && hostPid !== session?.hostPid) {
    if (session) refuse(`process ${hostPid} is not the process that its hooks reported`);
    const other = store.sessions.latestOfPid(hostPid);
    if (other && isSameProcess(hostPid, other.pidStarted)) refuse(`process ${hostPid} runs another session`);
    const verdict = await caller.mayRepresent(hostPid, peer);
    if (!verdict.may) refuse(verdict.why);
  }
  const { hostPid: known = null, pidStarted = null } = session ?? {};
  if (known === null) return;
  // Its inbox waits for the session even after its process has ended.
  const verdict = isSameProcess(known, pidStarted)
    ? await caller.maySpeakFor(known, peer)
    : ({ may: false, why: `its process ${known} has ended` } as const);
  if (!verdict.may && !(await caller.mayDecide(peer)).may) refuse(verdict.why);
}

/** The event that the default host's hook would have posted. */
export function makePostedHook(event: AgentEvent, fields: object, peer: Peer, id?: string): PostedHook {
  const name = hostFor(undefined).events.nameOf(event) ?? event;
  const raw = new TextEncoder().encode(JSON.stringify({ ...fields, hook_event_name: name }));
  return { event: name, host: undefined, raw, id, peer };
}
