import type { Handlers } from "../../http/handlers.ts";
import type { todayEndpoints } from "../../protocol/endpoints/today.ts";
import type { RecallUseView, StripView, TalkView, WeekView } from "../../protocol/today.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { StripJob } from "../../store/strip.ts";
import { isLive } from "../identity/seats.ts";
import type { JobWorker } from "../runtime/job-worker.ts";

export interface TodayJobs {
  strip(job: StripJob): StripView;
  week(job: { edges: number[]; now: number; live: string[] }): WeekView;
  recallUse(job: { from: number; to: number }): RecallUseView;
  talk(job: { from: number; to: number }): TalkView;
}

const timeoutMs = 10_000;

/** The reports of the front page. All of them are read in the worker. */
export function makeTodayHandlers(
  store: Store,
  clock: Clock,
  worker: JobWorker<TodayJobs>,
): Handlers<typeof todayEndpoints> {
  /** The processes can only be checked here. */
  function present(): { now: number; live: string[] } {
    const now = clock();
    const live = store.sessions.active().filter((session) => isLive(session, now));
    return { now, live: live.map(({ id }) => id) };
  }

  return {
    getStrip: ({ query }) => worker.call.strip({ ...query, ...present() }, { timeoutMs }),
    getWeek: ({ query }) =>
      worker.call.week({ edges: query.edges.split(",").map(Number), ...present() }, { timeoutMs }),
    getRecallUse: ({ query }) => worker.call.recallUse(query, { timeoutMs }),
    getTalk: ({ query }) => worker.call.talk(query, { timeoutMs }),
  };
}
