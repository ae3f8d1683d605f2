import { homedir, hostname } from "node:os";
import { toMachineName } from "../../shared/machine-name.ts";
import { readSecrets, updateSecrets } from "../../config/secrets.ts";
import type { Handlers } from "../../http/handlers.ts";
import { makePassword, makeVerifier } from "../../hub/scram.ts";
import { decodeInvite } from "../../hub/target.ts";
import type { hubEndpoints } from "../../protocol/endpoints/hub.ts";
import type { TaskArbiter } from "../../domain/mail/task.ts";
import type { HubForgotten, HubStatus, HubSummary } from "../../protocol/hub.ts";
import { AppError } from "../../shared/errors.ts";
import type { HubLink } from "../../store/hub.ts";
import type { RequirePerson } from "../ask/require-person.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import { openGit } from "../identity/git.ts";
import type { DaemonContext } from "../runtime/context.ts";
import { valueWithin } from "../runtime/value-within.ts";
import { makeAdministration } from "./administration.ts";
import { removeReceivedNotes } from "./remove-received-notes.ts";
import { guardHandlers } from "./guard-handlers.ts";
import { type HubLeases, makeHubLeases } from "./hub-leases.ts";
import { makeHubTasks } from "./hub-tasks.ts";
import { connectTo, openHubLine } from "./hub-line.ts";
import { type HubMachine, readMachine, removeMachine, saveMachine } from "./identity.ts";
import { previewShare, proposeKey, requireShareable } from "./share.ts";
import { openHubSync } from "./sync.ts";

export interface Hub {
  handlers: Handlers<typeof hubEndpoints>;
  leases: HubLeases;
  tasks: TaskArbiter;
  /** Null before a hub is joined. */
  summarize(): HubSummary | null;
  /** How far a deletion that began at this time has reached; null if it concerns no shared note. */
  reportForgotten(since: number): Promise<HubForgotten | null>;
  start(): void;
  stop(): Promise<void>;
}

interface HubDeps extends DaemonContext {
  forgetNotes(ids: readonly string[]): Promise<void>;
  requirePerson: RequirePerson;
}

/** A person waits for the report of a deletion; the deletion itself continues. */
const reportMs = 5_000;

/** Shares notes with other machines through a PostgreSQL database. Does nothing before a hub is joined. */
export function openHub(deps: HubDeps): Hub {
  const { home, store, clock, config, waitingHooks, environment } = deps;
  const homeFolder = environment["HOME"] ?? homedir();
  const line = openHubLine(home.secrets);
  let gone: { hubId: string; seq: number; at: number }[] = [];
  const leases = makeHubLeases({ store, clock, log: deps.log, line });
  const tasks = makeHubTasks({ store, log: deps.log, line });
  const sync = openHubSync({
    ...deps,
    line,
    leases,
    homeFolder,
    pollSeconds: config.hub.pollSeconds,
    onGone: (hubId, seq) => gone.push({ hubId, seq, at: clock() }),
  });
  const { findOne, findOrCreate } = makeProjectFinder(store, clock);
  const git = openGit(environment);

  function requireMachine(): HubMachine {
    const machine = readMachine(store.meta);
    if (machine?.state !== "joined") throw new AppError("hub_off", "This machine has not joined a hub.");
    return machine;
  }

  function requireLink(projectId: string, name: string): HubLink {
    const link = store.hub.linkOf(projectId);
    if (!link) throw new AppError("invalid_argument", `${name} is not shared.`);
    return link;
  }

  function viewStatus(): HubStatus {
    const machine = readMachine(store.meta);
    const { contactAt, error, machines } = sync.view();
    return {
      state: machine?.state ?? "none",
      isAdmin: readSecrets(home.secrets).hub.administration !== undefined,
      host: machine?.host ?? null,
      member: machine?.member ?? null,
      device: machine?.deviceName ?? null,
      projects: store.hub.links().map((link) => {
        const authors = store.hub.listAuthors(link.projectId);
        return {
          ...store.hub.counts(link),
          id: link.hubId,
          name: nameProject(link),
          received: authors.reduce((sum, { notes }) => sum + notes, 0),
          authors,
          setAside: store.hub.listSetAside(link.hubId),
          behind: Math.max(0, link.head - link.cursor),
          machines: machines.get(link.hubId) ?? 0,
        };
      }),
      contactAt,
      error,
    };
  }

  function nameProject({ projectId }: HubLink): string {
    return store.projects.byId(projectId)?.name ?? "(forgotten)";
  }

  function summarize(): HubSummary | null {
    const machine = readMachine(store.meta);
    if (!machine) return null;
    const { state, host, member, deviceName } = machine;
    const { contactAt, error } = sync.view();
    const projects = store.hub.links().map(nameProject);
    const waiting = store.hub.countWaiting();
    return { state, host, member, device: deviceName, projects, waiting, contactAt, error };
  }

  const handlers: Hub["handlers"] = {
    ...makeAdministration(home.secrets, clock),
    getHub: viewStatus,
    async joinHub({ body: { code, device, shallow } }) {
      if (readMachine(store.meta)) throw new AppError("hub_exists", "This machine has joined a hub already.");
      const target = decodeInvite(code);
      const password = makePassword();
      const name = toMachineName((device ?? config.matrix.machine) || hostname());
      const db = await connectTo(target);
      try {
        const { makeHubSession } = await import("../../hub/hub-session.ts");
        const joined = await makeHubSession(db).join(name, makeVerifier(password));
        updateSecrets(home.secrets, (secrets) => {
          secrets.hub.connection = { ...target, password };
        });
        saveMachine(store.meta, {
          state: "joined",
          hub: joined.hub,
          epoch: joined.epoch,
          device: joined.device,
          deviceName: name,
          member: joined.member,
          host: target.host,
          isReadOnly: joined.readOnly,
          shallow: shallow ?? null,
        });
      } finally {
        await db.close();
      }
      return viewStatus();
    },
    async leaveHub() {
      const machine = readMachine(store.meta);
      if (!machine) throw new AppError("hub_off", "This machine has not joined a hub.");
      // A hub that is gone must not keep the user from leaving.
      await valueWithin(
        line.session().then((session) => session.leave()),
        reportMs,
      ).catch(() => undefined);
      await line.close();
      let dropped = 0;
      for (const link of store.hub.links()) {
        dropped += await removeReceivedNotes(deps, link);
        store.db.transaction(() => store.hub.unlink(link.hubId));
      }
      removeMachine(store.meta);
      updateSecrets(home.secrets, (secrets) => {
        delete secrets.hub.connection;
      });
      return { dropped };
    },
    async resyncHub() {
      requireMachine();
      sync.rewindAll();
      await sync.runNow();
      return viewStatus();
    },
    async shareProject({ body }) {
      const { shallow } = requireMachine();
      const project = findOrCreate(body.project);
      requireShareable(project);
      const session = await line.session();
      const key = body.key ?? (await proposeKey(git, project));
      const withPreferences = body.with.includes("preferences");
      const wish = { key, withPreferences };
      const preview = await previewShare({ store, waitingHooks, homeFolder }, session, project, wish);
      if (body.dryRun || preview.isShared) return preview;
      const hubId = await session.link(key, project.name);
      if (store.hub.links().some((link) => link.hubId === hubId))
        throw new AppError("invalid_argument", `Another folder of this machine shares ${key} already.`);
      const head = (await session.heads()).get(hubId) ?? 0;
      store.db.transaction(() => {
        store.hub.link({ projectId: project.id, hubId, withPreferences }, clock());
        if (shallow !== null) store.hub.setCursor(hubId, Math.max(0, head - shallow));
        store.hub.queueAll({ projectId: project.id, hubId });
      });
      await sync.runNow();
      return { ...preview, isShared: true };
    },
    async unshareProject({ body }) {
      requireMachine();
      const project = findOne(body.project);
      const link = requireLink(project.id, project.name);
      const session = await line.session();
      let recalled = 0;
      // Marked first: a poll meanwhile must not remove them here.
      const own = body.recall ? store.db.transaction(() => store.hub.recallOwn(link.hubId)) : [];
      for (let at = 0; at < own.length; at += maxAtOnce)
        recalled += (await session.forget(link.hubId, own.slice(at, at + maxAtOnce))).length;
      await session.unlink(link.hubId);
      const dropped = await removeReceivedNotes(deps, link);
      store.db.transaction(() => store.hub.unlink(link.hubId));
      return { project: project.name, recalled, dropped };
    },
  };

  /** The deleted notes that are still in the outbox. */
  function countRemovals(): number {
    return store.hub
      .links()
      .flatMap(({ hubId }) => store.hub.queued(hubId, maxAtOnce))
      .filter(({ id }) => store.notes.byId(id) === undefined).length;
  }

  async function reportForgotten(since: number): Promise<HubForgotten | null> {
    const machine = readMachine(store.meta);
    if (machine?.state !== "joined") return null;
    if (countRemovals() > 0) await valueWithin(sync.runNow(), reportMs).catch(() => undefined); // Shown as waiting.
    const waiting = countRemovals();
    const removed = gone.filter(({ at }) => at >= since);
    gone = [];
    if (removed.length === 0 && waiting === 0) return null;
    const machines = await valueWithin(listMachines(removed), reportMs).catch(() => undefined); // Counted later.
    const missing = [...(machines ?? [])].filter(([, isDone]) => !isDone).map(([name]) => name);
    const total = machines?.size ?? 0;
    return { removed: removed.length, waiting, machines: { done: total - missing.length, total, missing } };
  }

  /** Every machine with one of the projects, and whether it has erased everything. */
  async function listMachines(
    removed: readonly { hubId: string; seq: number }[],
  ): Promise<Map<string, boolean>> {
    const session = await line.session();
    const machines = new Map<string, boolean>();
    for (const hubId of new Set(removed.map((each) => each.hubId))) {
      const last = Math.max(...removed.filter((each) => each.hubId === hubId).map(({ seq }) => seq));
      for (const { name, seq } of await session.machines(hubId))
        machines.set(name, (machines.get(name) ?? true) && seq >= last);
    }
    return machines;
  }

  return {
    handlers: guardHandlers(handlers, deps.requirePerson),
    leases,
    tasks,
    summarize,
    reportForgotten,
    start: sync.start,
    stop: sync.stop,
  };
}

const maxAtOnce = 500;
