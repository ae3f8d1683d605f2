import type { AgentViews } from "../ask/agent-views.ts";
import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import { MatrixError } from "../../matrix-client/request.ts";
import type { Lease, LeaseArbiter } from "../../domain/mail/lease.ts";
import { readTaskState, type TaskArbiter, type TaskState, taskStates } from "../../domain/mail/task.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { locateProject } from "../identity/project.ts";
import { type Accounts, botName } from "../matrix/accounts.ts";
import type { HomeserverAdmin } from "../matrix/homeserver-admin.ts";
import type { Leases } from "./leases.ts";
import type { Mail } from "./mail.ts";
import { makeReadMarks } from "./read-marks.ts";
import { makeRoomReader } from "./room-reader.ts";
import type { SenderCheck } from "./sender-check.ts";
import type { TaskBook } from "./task-book.ts";
import { describeLease, describeTask } from "./status-messages.ts";
import { makeMailViews } from "./views.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface MailHandlersDeps extends Pick<DaemonContext, "store" | "bus"> {
  mail: Mail;
  agents: AgentViews;
  tasks: TaskBook;
  leases: Leases;
  arbiter: LeaseArbiter;
  taskArbiter: TaskArbiter;
  accounts: Accounts;
  senders: SenderCheck;
  admin: HomeserverAdmin;
  owner: string;
}

const ever = Number.MAX_SAFE_INTEGER;

/** Handlers of the endpoints for rooms, messages, tasks and leases. */
export function makeMailHandlers(deps: MailHandlersDeps): Handlers<typeof mailEndpoints> {
  const { store, mail, tasks, leases, arbiter, taskArbiter, accounts, senders, admin, owner } = deps;
  const marks = makeReadMarks(store);
  const view = makeMailViews(store, accounts, marks, deps.agents, owner);
  const reading = makeRoomReader({ store, bus: deps.bus, accounts, marks, owner });

  function requireProject(name: string | undefined, agent: AgentRow | undefined): ProjectRow {
    const project = name === undefined ? agent && store.projects.byPath(agent.project) : findProject(name);
    if (!project)
      throw new AppError("project_not_found", name ? `There is no project ${name}.` : "Missing project.");
    return project;
  }

  /** A lease of another machine may have been released there: this is checked before a refusal. */
  async function takeLease(
    agent: AgentRow,
    project: ProjectRow,
    request: Parameters<Leases["take"]>[2],
  ): Promise<Lease> {
    try {
      return leases.take(agent, project, request);
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === "lease_taken";
      if (!isTaken || !(await arbiter.refresh(project.id))) throw error;
      return leases.take(agent, project, request);
    }
  }

  /** By name, or by a folder in it. */
  function findProject(name: string): ProjectRow | undefined {
    const named = store.projects.named(name).at(-1);
    return named ?? (isAbsolute(name) ? store.projects.byPath(locateProject(name).key) : undefined);
  }

  /** Machines with one account each, or one for all, may have agents of the same name. */
  const qualify = (name: string): string =>
    accounts.isOutside && store.agents.byName(name) ? `${name}@${accounts.machine.name}` : name;

  /** The project's room, or its alias if the room does not exist yet. */
  function addressOfRoom({ id, name }: ProjectRow): string {
    return store.rooms.byKey(`project:${id}`)?.id ?? `#${name}`;
  }

  return {
    listRooms: () => ({ rooms: store.rooms.all().map(view.viewRoom) }),
    async createRoom({ body: { name, members }, caller: { peer } }) {
      const agent = await senders.identify({ peer });
      const users = members.map((member) => (member.startsWith("@") ? member : accounts.userIdOf(member)));
      return callHomeserver(async () => {
        const creator = agent ? await accounts.clientOfAgent(agent) : await accounts.clientOfOwner();
        return view.viewRoom(await mail.rooms.create(redactText(name).text, creator, users));
      });
    },
    async changeRoom({ params, body: { keepDays, muted }, caller: { peer } }) {
      await senders.requirePerson({ peer });
      const { id } = reading.find(params.room);
      if (muted !== undefined) store.rooms.setMuted(id, muted);
      if (keepDays !== undefined) store.rooms.setKeepDays(id, keepDays);
      if (keepDays !== undefined) mail.removeExpired();
      deps.bus.publish({ type: "room.changed", roomId: id });
      return view.viewRoom(reading.find(id));
    },
    async listMembers({ params }) {
      return { members: await callHomeserver(() => reading.listMembers(reading.find(params.room))) };
    },
    async markRoomRead({ params, caller: { peer } }) {
      await senders.requirePerson({ peer });
      const room = reading.find(params.room);
      await callHomeserver(() => reading.markRead(room));
      return view.viewRoom(room);
    },
    listMessages({ query: { room, limit, before = ever } }) {
      const rows =
        room === undefined
          ? store.messages.listToUser(accounts.ownerId, limit, before)
          : reading.listMessages(room, limit, before);
      return { messages: rows.map(view.viewMessage) };
    },
    async sendMessage({ body: { id, to, text, replyTo, hostPid }, caller: { peer } }) {
      const from = await senders.identify({ hostPid, peer });
      const message = mail.send({ id, from, to, text, replyTo });
      await mail.waitForAttempt(message);
      return view.viewMessage(store.messages.byId(message.id) as MessageRow);
    },
    listTasks({ query: { project, limit } }) {
      const projectId = project === undefined ? undefined : requireProject(project, undefined).id;
      return { tasks: store.tasks.recent(limit, projectId).map(view.viewTask) };
    },
    async createTask({ body: { id, project, title, to, status, files, hostPid }, caller: { peer } }) {
      const agent = await senders.identify({ hostPid, peer });
      const self = agent?.name ?? owner;
      const given = tasks.findCreated(id, self, title);
      if (given) return view.viewTask(given);
      const row = requireProject(project, agent);
      // A task for oneself is announced to the whole project.
      const recipient = to !== undefined && to !== self ? to : agent ? "project" : addressOfRoom(row);
      // Checked before the write, so that no task is created without a reachable recipient.
      mail.check(recipient, agent);
      const task = tasks.create(row, self, title, { id, state: parseState(status), owner: to, files });
      mail.send(describeTask(agent, task, recipient, qualify));
      return view.viewTask(task);
    },
    async changeTask({ params: { id }, body, caller: { peer } }) {
      const { status, title, owner: next, progress, result, files, rev, hostPid } = body;
      const agent = await senders.identify({ hostPid, peer });
      const before = tasks.find(id);
      const self = agent?.name ?? owner;
      const project = agent ? "project" : addressOfRoom(store.projects.byId(before.projectId) as ProjectRow);
      const concerned = [before.requester, next ?? before.owner ?? self].filter((name) => name !== self);
      // Agents of another machine read the change in the project's room. It is also posted there if it concerns no one
      // else.
      const others = new Set(
        concerned.map((name) =>
          name === next || name === owner || store.agents.byName(name) ? name : project,
        ),
      );
      if (others.size === 0) others.add(project);
      // Checked before the write, so that no change is made without reachable recipients.
      for (const other of others) mail.check(other, agent);
      const change = { title, owner: next, progress, result, files, rev, state: parseState(status) };
      const { after } = tasks.plan(before.id, change);
      if (after.rev === before.rev) return { ...view.viewTask(before), known: null };
      const { projectId, state } = after;
      const granted = await taskArbiter.change({ id: before.id, projectId, from: before.rev, state }, self);
      const newRev = typeof granted === "number" ? granted : undefined;
      // At the revision that the hub was asked about: another call may have changed the task meanwhile.
      const task = tasks.change(before.id, { ...change, rev: before.rev, newRev });
      for (const other of others) mail.send(describeTask(agent, task, other, qualify));
      return {
        ...view.viewTask(task),
        known: newRev === undefined ? (granted as "here" | null) : "everywhere",
      };
    },
    listLeases({ query: { project } }) {
      const projectId = project === undefined ? undefined : requireProject(project, undefined).id;
      return { leases: leases.listActive(projectId).map(view.viewLease) };
    },
    async takeLease({ body: { globs, exclusive, minutes, taskId, hostPid }, caller: { peer } }) {
      const agent = await senders.requireAgent({ hostPid, peer });
      const request = { globs, isExclusive: exclusive, ttlMs: minutes * 60_000, taskId: taskId ?? null };
      const lease = await takeLease(agent, requireProject(undefined, agent), request);
      const known = await arbiter.grant(lease, agent.name).catch((error: unknown) => {
        leases.release(lease.id, agent);
        throw error;
      });
      announceLease(lease, false);
      return { ...view.viewLease(lease), known };
    },
    async releaseLease({ params: { id }, query, caller: { peer } }) {
      const agent = await senders.identify({ hostPid: query.pid, peer });
      const { lease, isOver } = leases.release(id, agent);
      if (!isOver) announceLease(lease, true);
      await arbiter.release(lease);
      return view.viewLease(lease);
    },
    async getMatrix() {
      const { queued, failed } = store.messages.countByState();
      return {
        ...(await admin.describe()),
        owner,
        following: mail.health(),
        limits: mail.limits(),
        machine: accounts.machine.name,
        queued,
        failed,
      };
    },
    async inviteToMatrix({ body: { name }, caller: { peer } }) {
      await senders.requirePerson({ peer });
      if (store.agents.byName(name) || name === botName)
        throw new AppError("invalid_payload", `${name} is the name of an agent: choose another.`);
      const password = randomBytes(12).toString("base64url");
      const { userId, isNew, url } = await admin.setPassword(name, password);
      await callHomeserver(async () => {
        const mine = await accounts.clientOfOwner();
        for (const { id, kind } of store.rooms.all())
          if (kind === "project" && userId !== mine.userId)
            await mine.invite(id, userId).catch(ignoreRefusal);
      });
      return { userId, password, url, isNew };
    },
  };

  function announceLease(lease: Lease, isReleased: boolean): void {
    const holder = store.agents.byId(lease.holder);
    if (holder && !store.projects.isOff(holder.project))
      mail.send(describeLease(holder, lease, isReleased, qualify));
  }
}

/** A refused invitation is harmless: everyone with an account may join the project rooms. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined) throw error;
}

/** Maps errors of the homeserver to our own codes. */
async function callHomeserver<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error;
    const code = error.retryAfterMs === undefined ? "matrix_refused" : "homeserver_unavailable";
    throw new AppError(code, error.message, { cause: error });
  }
}

function parseState(status: string | undefined): TaskState | undefined {
  if (status === undefined) return undefined;
  const state = readTaskState(status);
  if (!state)
    throw new AppError(
      "invalid_payload",
      `Unknown task status ${status}. Use one of: ${taskStates.join(", ")}.`,
    );
  return state;
}
