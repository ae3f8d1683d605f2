import type { HookAnswer } from "../../protocol/api.ts";
import type { HookEvent } from "../../protocol/hook-events.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import { parseJson } from "../../shared/json.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Preparation } from "../capture/preparation.ts";

export interface PostedHook {
  event: HookEvent;
  raw: Uint8Array;
  id?: string | undefined;
  claudePid?: number | undefined;
}

/** Stores an event that came over the API, like one of the hook script. */
export type PostHook = (posted: PostedHook) => Promise<HookAnswer>;

export interface PostHookDeps {
  clock: Clock;
  ingest: Ingest;
  metrics: Metrics;
  preparation: Preparation;
}

export function makePostHook({ clock, ingest, metrics, preparation }: PostHookDeps): PostHook {
  return async ({ event, raw, id = makeId(clock()), claudePid }) => {
    const prepared = await preparation.prepare(raw);
    const incoming = { id, event, claudePid, occurredAt: clock(), via: "api", prepared } as const;
    const { recorded, reply } = await ingest.submit(incoming, true);
    metrics.countEvent(event, "api");
    return {
      id,
      duplicate: !recorded.isNew,
      session: recorded.session.id,
      agent: recorded.agent.name,
      output: reply.stdout ? parseJson(reply.stdout) : null,
    };
  };
}
