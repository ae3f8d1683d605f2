import type { Handlers } from "../../http/handlers.ts";
import type { todayEndpoints } from "../../protocol/endpoints/today.ts";
import type { StripView } from "../../protocol/today.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { StripJob } from "../../store/strip.ts";
import { isLive } from "../identity/seats.ts";
import type { JobWorker } from "../runtime/job-worker.ts";

export interface TodayJobs {
  strip(job: StripJob): StripView;
}

const timeoutMs = 10_000;

/** The reports of the front page. All of them are read in the worker. */
export function makeTodayHandlers(
  store: Store,
  clock: Clock,
  worker: JobWorker<TodayJobs>,
): Handlers<typeof todayEndpoints> {
  return {
    getStrip({ query: { from, to } }) {
      const now = clock();
      const live = store.sessions.active().filter((session) => isLive(session, now));
      return worker.call.strip({ from, to, now, live: live.map(({ id }) => id) }, { timeoutMs });
    },
  };
}
