import { AppError } from "../../shared/errors.ts";
import type { HubIdentity, HubSession, PolledProject } from "../../hub/hub-session.ts";
import { sharedNoteVersion } from "../../protocol/hub.ts";
import type { HubLink } from "../../store/hub.ts";
import { removeReceivedNotes } from "./remove-received-notes.ts";
import type { HubLine } from "./hub-line.ts";
import type { HubLeases } from "./hub-leases.ts";
import { type HubMachine, readMachine, saveMachine } from "./identity.ts";
import { type PullDeps, pullProject } from "./pull.ts";
import { type PushDeps, pushProject } from "./push.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Keeps the shared projects equal to the hub, in the background. Hooks never wait for it. */
export interface HubSync {
  start(): void;
  stop(): Promise<void>;
  /** Synchronises now and reports errors. Joins a run that waits to start. */
  runNow(): Promise<void>;
  /** Compares everything at the next run. */
  rewindAll(): void;
  view(): { contactAt: number | null; error: string | null; machines: ReadonlyMap<string, number> };
}

export interface SyncDeps extends PushDeps, PullDeps, Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  line: HubLine;
  leases: HubLeases;
  pollSeconds: number;
}

/** After a change, so that one push carries the notes of a turn. */
const afterChangeMs = 2_000;
const atStartMs = 50;
const idleMs = 15 * 60_000;
const firstRetryMs = 5_000;
/** Spreads the calls of many machines. */
const spread = 0.3;
/** The machines of a project are counted again at the latest after this time. */
const maxCountAgeMs = 5 * 60_000;

const changes = new Set(["observation.stored", "turn.ended", "session.started", "session.completed"]);

export function openHubSync(deps: SyncDeps): HubSync {
  const { store, bus, log, clock, line } = deps;
  const machines = new Map<string, number>();
  /** The last poll's answer for each project, and the pages read since. */
  const polled = new Map<string, PolledProject & { at: number }>();
  /** The hub's schema at the last contact. */
  let version = 0;
  const view = { contactAt: null as number | null, error: null as string | null, machines };
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let retryMs = 0;
  let running: Promise<void> | undefined;
  let isStopped = true;
  let unsubscribe = (): void => {};

  function schedule(ms: number): void {
    const at = performance.now() + ms;
    if (isStopped || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY;
      runNow().catch(() => undefined); // Recorded in `view`.
    }, ms).unref();
  }

  function scheduleNext(): void {
    const machine = readMachine(store.meta);
    if (machine?.state !== "joined" || store.hub.links().length === 0) return;
    const pause = store.hub.hasLiveSession() ? deps.pollSeconds * 1_000 : idleMs;
    schedule((retryMs || pause) * (1 - spread + 2 * spread * Math.random()));
  }

  function run(): Promise<void> {
    running ??= runOnce();
    return running;
  }

  async function runNow(): Promise<void> {
    await running?.catch(() => undefined); // It may have begun before the change.
    if (!isStopped) await run();
  }

  async function runOnce(): Promise<void> {
    try {
      await synchronise();
      retryMs = 0;
      view.error = null;
      view.contactAt = clock();
    } catch (error) {
      version = 0; // Perhaps it was restored from an older backup.
      retryMs = Math.min(idleMs, Math.max(firstRetryMs, retryMs * 2));
      view.error = (error as Error).message;
      log.warn("the hub was not reached", { error, retryMs });
      throw error;
    } finally {
      running = undefined;
      if (retryMs > 0 || !store.hub.hasLiveSession()) await line.closeIfIdle();
      scheduleNext();
    }
  }

  async function synchronise(): Promise<void> {
    const machine = readMachine(store.meta);
    if (machine?.state !== "joined") return;
    const session = await line.session();
    const { identity, projects } = await session.poll(version);
    version = identity.version;
    const current = await checkIdentity(identity, machine);
    if (!current) return;
    for (const link of store.hub.links()) {
      const project = projects.get(link.hubId);
      if (!project) await endAccess(link);
      else await synchroniseProject(session, current, link, project);
    }
  }

  /** Undefined if the hub has revoked this machine. */
  async function checkIdentity(now: HubIdentity, machine: HubMachine): Promise<HubMachine | undefined> {
    if (now.state === "revoked") {
      log.warn("the hub has revoked this machine", { hub: machine.host });
      for (const link of store.hub.links()) await removeReceivedNotes(deps, link);
      saveMachine(store.meta, { ...machine, state: "revoked" });
      return undefined;
    }
    if (now.oldestClient > sharedNoteVersion)
      throw new AppError("hub_refused", "The hub needs a newer version of Rookery.");
    const isOutdated = now.epoch !== machine.epoch || machine.noteVersion !== sharedNoteVersion;
    if (isOutdated) rewindAll();
    const current = { ...machine, epoch: now.epoch, isReadOnly: now.readOnly };
    if (isOutdated || now.readOnly !== machine.isReadOnly) saveMachine(store.meta, current);
    return current;
  }

  async function endAccess(link: HubLink): Promise<void> {
    log.warn("the hub no longer shares a project with this machine", { project: link.projectId });
    await removeReceivedNotes(deps, link);
    store.db.transaction(() => store.hub.unlink(link.hubId));
  }

  async function synchroniseProject(
    session: HubSession,
    machine: HubMachine,
    link: HubLink,
    project: PolledProject,
  ): Promise<void> {
    const { hubId, projectId } = link;
    // The hub was restored from a backup that is older than our last contact.
    if (project.head < link.cursor) rewind(link, project.head);
    const hasPushed = !machine.isReadOnly && (await pushProject(deps, session, link));
    const latest = store.hub.links().find((each) => each.hubId === hubId);
    if (!latest) return;
    const hasProject = store.projects.byId(projectId)?.mode === "on";
    const isBehind = hasProject && (hasPushed || latest.cursor !== project.head);
    const cursor = isBehind ? await pullProject(deps, session, machine, latest) : latest.cursor;
    const head = Math.max(project.head, cursor);
    if (head !== latest.head) store.hub.setHead(hubId, head);
    const known = polled.get(hubId);
    const isSame = !isBehind && known?.fence !== undefined && known.fence === project.fence;
    if (isSame && clock() - known.at < maxCountAgeMs) return;
    machines.set(hubId, (await session.machines(hubId)).length);
    await deps.leases.follow(session, machine, latest);
    polled.set(hubId, { ...project, at: clock() });
  }

  function rewind(link: HubLink, head = link.head): void {
    const shallow = readMachine(store.meta)?.shallow ?? null;
    store.db.transaction(() => {
      store.hub.rewind(link.hubId);
      // A machine with only the newest notes does not fetch all of them now.
      if (shallow !== null) store.hub.setCursor(link.hubId, Math.max(0, head - shallow));
      store.hub.queueAll(link);
    });
  }

  function rewindAll(): void {
    for (const link of store.hub.links()) rewind(link);
  }

  return {
    start() {
      isStopped = false;
      unsubscribe = bus.subscribe(({ event }) => {
        if (!changes.has(event.type) || readMachine(store.meta)?.state !== "joined") return;
        const isStart = event.type === "session.started";
        // A session that starts should know the notes that are there, also after hours without the hub.
        if (isStart) retryMs = 0;
        schedule(Math.max(isStart ? atStartMs : afterChangeMs, retryMs));
      });
      if (readMachine(store.meta)?.state === "joined") schedule(afterChangeMs);
    },
    async stop() {
      isStopped = true;
      unsubscribe();
      clearTimeout(timer);
      // Ends a statement that waits for a hung server.
      await line.close();
      await running?.catch(() => undefined); // Recorded in `view`.
    },
    runNow,
    rewindAll,
    view: () => view,
  };
}
