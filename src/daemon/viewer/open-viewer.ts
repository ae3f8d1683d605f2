import type { Handlers } from "../../http/handlers.ts";
import type { todayEndpoints } from "../../protocol/endpoints/today.ts";
import type { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { NoteView } from "../../protocol/memory.ts";
import type { Load } from "../../protocol/status.ts";
import type { FindSessionsJob } from "../../store/find-sessions.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import { openJobWorker } from "../runtime/job-worker.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { openBrowsers } from "./browsers.ts";
import { openHealthSeries } from "./health-series.ts";
import { type OneTimeCodes, openOneTimeCodes } from "./one-time-codes.ts";
import { makeTodayHandlers } from "./today-api.ts";
import { makeViewerHandlers, timeoutMs, type ViewerHandlersDeps, type ViewerJobs } from "./viewer-api.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface ViewerDeps extends Pick<DaemonContext, "home" | "store" | "clock" | "log"> {
  metrics: Metrics;
  getNote(id: string): NoteView;
  token: string;
  load(): Load;
  port(): number;
  person: ViewerHandlersDeps["person"];
  codes: OneTimeCodes;
}

export interface Viewer {
  handlers: Handlers<typeof viewerEndpoints> & Handlers<typeof todayEndpoints>;
  /** Ids of sessions; the project by its id, name or folder. */
  findSessions(
    search: Omit<FindSessionsJob, "projects"> & { project: string | undefined },
  ): Promise<string[]>;
  /** The folder of the built page. */
  files: URL;
  start(): void;
  stop(): Promise<void>;
}

/** The components that only the viewer needs. */
export function openViewer(deps: ViewerDeps): Viewer {
  const { home, store, clock, log, metrics, getNote, token, load, port, person, codes } = deps;
  const series = openHealthSeries({ clock, log, load, takeLatencies: metrics.takeLatencies });
  // Both files are beside the bundle that contains this module.
  const script = new URL("./viewer-worker.js", import.meta.url);
  const files = new URL("./viewer/", import.meta.url);
  const worker = openJobWorker<ViewerJobs>(script, { database: home.database }, 30_000);
  const { findAll } = makeProjectFinder(store, clock);
  return {
    handlers: {
      ...makeViewerHandlers({
        store,
        clock,
        worker,
        getNote,
        series,
        token,
        port,
        person,
        codes,
        challenges: openOneTimeCodes(clock),
        browsers: openBrowsers(store.meta, clock, port),
      }),
      ...makeTodayHandlers(store, clock, worker),
    },
    async findSessions({ project, ...search }) {
      const projects = project === undefined ? undefined : findAll(project).map(({ path }) => path);
      return worker.call.findSessions({ ...search, projects }, { timeoutMs });
    },
    files,
    start: series.start,
    async stop() {
      series.stop();
      await worker.close();
    },
  };
}
