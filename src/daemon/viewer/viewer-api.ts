import type { ViewerBackend } from "../../http/viewer-backend.ts";
import type { MemoryBackend } from "../../http/memory-backend.ts";
import type { BrowseView, SavingsView, SourceEvent, StoryView } from "../../protocol/viewer.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { BrowseJob } from "../../store/browse.ts";
import type { InjectionRow } from "../../store/injections.ts";
import type { Store } from "../../store/open-store.ts";
import type { SavingsJob } from "../../store/savings.ts";
import type { StoryJob } from "../../store/story.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import type { HealthSeries } from "./health-series.ts";
import { openOneTimeCodes } from "./one-time-codes.ts";
import { listRunning } from "./running.ts";

export interface ViewerJobs {
  browse(job: BrowseJob): BrowseView;
  story(job: StoryJob): StoryView;
  savings(job: SavingsJob): SavingsView;
  sources(job: { id: string; events: string[] }): { events: SourceEvent[]; injections: InjectionRow[] };
}

export interface ViewerApiDeps {
  store: Store;
  clock: Clock;
  worker: JobWorker<ViewerJobs>;
  memory: MemoryBackend;
  series: HealthSeries;
  token: string;
  files: URL;
  port(): number;
}

const timeoutMs = 10_000;
const dayMs = 24 * 3600_000;

/** What the viewer asks beyond what everyone else does. */
export function makeViewerApi(deps: ViewerApiDeps): ViewerBackend {
  const { store, clock, worker, memory } = deps;
  const { projectsNamed } = makeProjectFinder(store, clock);
  const codes = openOneTimeCodes(clock);

  return {
    files: deps.files,
    issueCode() {
      const { code, expiresAt } = codes.issue();
      // Behind the #: a browser sends that part to nobody.
      return { url: `http://127.0.0.1:${deps.port()}/#code=${code}`, expiresAt };
    },
    redeemCode(code) {
      if (codes.redeem(code)) return deps.token;
      throw new AppError("code_not_valid", "This code was used before, is too old or never was one.");
    },
    now: () => ({ sessions: listRunning(store, clock) }),
    async browse({ kind, project, type, file, from, to, until, skip, limit }) {
      const filter = {
        ...(project ? { projectIds: projectsNamed(project).map(({ id }) => id) } : {}),
        ...(type ? { types: [type] } : {}),
        ...(file ? { file } : {}),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      };
      const job: BrowseJob = { kind, filter, until, skip, limit, isCounted: until === undefined };
      return worker.call.browse(job, { timeoutMs });
    },
    async sources(observation) {
      const { id, title, sourceEvents } = memory.get(observation);
      const { events, injections } = await worker.call.sources({ id, events: sourceEvents }, { timeoutMs });
      return {
        events,
        injections: injections.map(({ sessionId, kind, point, reason, score, tokens, at }) => {
          const session = store.sessions.byId(sessionId);
          const agent = (session && store.agents.byId(session.agentId)?.name) ?? "";
          return { session: sessionId, agent, kind, id, title, point, reason, score, tokens, at };
        }),
      };
    },
    async story(sessionId, before, limit) {
      if (!store.sessions.byId(sessionId))
        throw new AppError("session_not_found", `There is no session ${sessionId}.`);
      const job: StoryJob = { sessionId, before, limit };
      return worker.call.story(job, { timeoutMs });
    },
    series: () => deps.series.view(),
    async savings(days) {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const job: SavingsJob = { from: clock() - days * dayMs, timeZone };
      return worker.call.savings(job, { timeoutMs });
    },
  };
}
