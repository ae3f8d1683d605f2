import { hostFor, resolveEvent } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { HookAnswer } from "../../protocol/api.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import { parseJson } from "../../shared/json.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { Preparation } from "../capture/preparation.ts";
import type { Metrics } from "../runtime/metrics.ts";

interface PostedHook {
  /** The event by the host's own name for it; `host` is undefined if the caller does not name one. */
  event: string;
  host: string | undefined;
  raw: Uint8Array;
  id?: string | undefined;
  hostPid?: number | undefined;
}

/** Stores an event that was posted to the API, as if the hook script had sent it. */
export type PostHook = (posted: PostedHook) => Promise<HookAnswer>;

interface PostHookDeps {
  clock: Clock;
  ingest: Ingest;
  metrics: Metrics;
  preparation: Preparation;
}

export function makePostHook({ clock, ingest, metrics, preparation }: PostHookDeps): PostHook {
  return async ({ raw, id = makeId(clock()), hostPid, ...name }) => {
    const { host } = resolveEvent(name);
    const prepared = await preparation.prepare(raw, name);
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

/** The event that the default host's hook would have posted. */
export function makePostedHook(event: AgentEvent, fields: object, id?: string): PostedHook {
  const name = hostFor(undefined).events.nameOf(event) ?? event;
  const raw = new TextEncoder().encode(JSON.stringify({ ...fields, hook_event_name: name }));
  return { event: name, host: undefined, raw, id };
}
