import type { Handlers } from "../../http/handlers.ts";
import { formatMetrics } from "../../http/metrics-text.ts";
import type { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import type { runningEndpoints } from "../../protocol/endpoints/running.ts";
import { parseEventName, parsePid } from "../../protocol/spool-name.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { type Build, isNewerBuild } from "../../shared/build.ts";
import { AppError } from "../../shared/errors.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { PostHook } from "./post-hook.ts";
import type { RequirePerson } from "../ask/require-person.ts";
import type { Settings } from "./settings.ts";

interface DaemonHandlersDeps {
  bus: Bus;
  build: Build;
  ingest: Ingest;
  settings: Settings;
  postHook: PostHook;
  status(): Promise<StatusReport>;
  /** Marks a viewer as open until the returned function is called. */
  openViewer(): () => void;
  stop(reason: string): void;
  requirePerson: RequirePerson;
}

const eventId = /^[A-Za-z0-9._:-]{1,200}$/;

/** Handlers of the daemon's own endpoints. */
export function makeDaemonHandlers(
  deps: DaemonHandlersDeps,
): Handlers<typeof runningEndpoints & typeof daemonEndpoints> & Settings["handlers"] {
  const { bus, build, ingest, settings, postHook, status, openViewer, stop, requirePerson } = deps;
  return {
    ...settings.handlers,
    // Cheap: clients poll it while the daemon starts.
    getHealth: () => ({ status: ingest.pauseReason() ? "paused" : "ok", version: build.version }),
    getStatus: status,
    getMetrics: async () => formatMetrics(await status()),
    streamEvents: ({ query }) => ({
      since: bus.since,
      subscribe(listener) {
        const unsubscribe = bus.subscribe(listener);
        const closeViewer = query.viewer === "1" ? openViewer() : () => {};
        return () => {
          unsubscribe();
          closeViewer();
        };
      },
    }),
    postHook({ params: { event }, body: raw, caller }) {
      const name = parseEventName(event);
      if (!name)
        throw new AppError("unknown_event", `There is no event ${JSON.stringify(event.slice(0, 60))}.`);
      const id = caller.header("x-rookery-event-id");
      if (id !== undefined && !eventId.test(id))
        throw new AppError("invalid_payload", "x-rookery-event-id has characters that an id may not have.");
      // x-claude-pid is the older name of the header, from when there was only one host.
      const hostPid = parsePid(caller.header("x-host-pid") ?? caller.header("x-claude-pid"));
      return postHook({ ...name, raw, id, hostPid, peer: caller.peer });
    },
    async stopDaemon({ body: { reason, version, build: id = "", builtAt = 0 }, caller: { peer } }) {
      // An earlier database has pairings that were revoked since, and lacks the latest audit rows.
      if (reason === "restore") await requirePerson(peer, { action: "restore", place: "cli" });
      // After an upgrade several sessions may request this; only the first one finds an older daemon.
      const isReplaced = reason === "handover" && version !== undefined;
      if (isReplaced && !isNewerBuild({ version, build: id, builtAt }, build))
        throw new AppError("daemon_running", "This daemon is not older than its replacement.");
      stop(reason);
      return { stopping: true };
    },
  };
}
