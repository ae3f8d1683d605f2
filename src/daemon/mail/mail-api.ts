import { randomBytes } from "node:crypto";
import { pairKey } from "../../domain/mail/address.ts";
import type { Lease } from "../../domain/mail/lease.ts";
import { readTaskState, type TaskState, taskStates } from "../../domain/mail/task.ts";
import type { MailBackend } from "../../http/mail-backend.ts";
import type { LeaseView, MessageView, RoomView, TaskView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { TaskRow } from "../../store/tasks.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";
import type { Accounts } from "./accounts.ts";
import type { Leasing } from "./leasing.ts";
import type { Mail } from "./mail.ts";
import type { TaskBook } from "./task-book.ts";

export interface MailApiDeps {
  store: Store;
  mail: Mail;
  tasks: TaskBook;
  leasing: Leasing;
  accounts: Accounts;
  homeserver: EmbeddedHomeserver;
  serverName: string;
  owner: string;
  publicUrl: string | undefined;
}

/** Mail, as the routes, the CLI and the MCP tools see it. */
export function makeMailApi(deps: MailApiDeps): MailBackend {
  const { store, mail, tasks, leasing, accounts, homeserver } = deps;

  /** The agent of a session's host process; undefined for the person at this machine. */
  function speaker(claudePid: number | undefined): AgentRow | undefined {
    if (claudePid === undefined) return undefined;
    const session = store.sessions.latestOfPid(claudePid);
    const agent = session && store.agents.byId(session.agentId);
    if (!agent) throw new AppError("session_not_found", `No session of process ${claudePid} is known.`);
    return agent;
  }

  function agentOf(claudePid: number): AgentRow {
    return speaker(claudePid) as AgentRow;
  }

  function projectNamed(name: string | undefined, agent: AgentRow | undefined): ProjectRow {
    const found =
      name === undefined ? agent && [store.projects.byPath(agent.project)] : store.projects.named(name);
    const project = found?.at(-1);
    if (!project)
      throw new AppError("project_not_found", name ? `There is no project ${name}.` : "Name a project.");
    return project;
  }

  function findRoom(name: string): RoomRow {
    const agent = store.agents.byName(name);
    const bare = name.replace(/^#/, "");
    const room =
      store.rooms.byId(name) ??
      (agent && store.rooms.byKey(pairKey(accounts.userIdOf(deps.owner), accounts.userIdOf(name)))) ??
      store.rooms.byKey(`group:${bare}`) ??
      store.rooms.all().find((known) => known.kind === "project" && known.name === bare);
    if (!room) throw new AppError("room_not_found", `There is no room ${name}.`);
    return room;
  }

  function viewRoom({ id, kind, name, keepDays }: RoomRow): RoomView {
    const [last] = store.messages.ofRoom(id, 1, Number.MAX_SAFE_INTEGER);
    return { id, kind, name, keepDays, lastMessageAt: last?.createdAt ?? null };
  }

  function viewMessage(row: MessageRow): MessageView {
    const { id, roomId, address, sender, agentId, kind, body, replyTo, state, error, createdAt } = row;
    return {
      id,
      room: roomId === null ? null : (store.rooms.byId(roomId)?.name ?? roomId),
      to: address,
      from: sender,
      isAgent: agentId !== null,
      kind,
      text: body,
      replyTo,
      state,
      error,
      at: createdAt,
    };
  }

  function viewTask(row: TaskRow): TaskView {
    const { id, title, requester, owner, state, rev, progress, result, files, createdAt, updatedAt } = row;
    const project = store.projects.byId(row.projectId)?.name ?? "";
    return {
      id,
      project,
      title,
      requester,
      owner,
      status: state,
      rev,
      progress,
      result,
      files,
      createdAt,
      updatedAt,
    };
  }

  function viewLease({
    id,
    projectId,
    holder,
    globs,
    isExclusive,
    expiresAt,
    fence,
    taskId,
  }: Lease): LeaseView {
    return {
      id,
      project: store.projects.byId(projectId)?.name ?? "",
      holder: store.agents.byId(holder)?.name ?? "",
      globs,
      exclusive: isExclusive,
      expiresAt,
      fence,
      taskId,
    };
  }

  return {
    rooms: () => store.rooms.all().map(viewRoom),
    async createRoom({ name, members }) {
      const users = members.map((member) => (member.startsWith("@") ? member : accounts.userIdOf(member)));
      return viewRoom(await mail.rooms.create(name, await accounts.ofOwner(), users));
    },
    setKeepDays(name, days) {
      const room = findRoom(name);
      store.rooms.setKeepDays(room.id, days);
      return viewRoom({ ...room, keepDays: days });
    },
    history: (room, limit, before = Number.MAX_SAFE_INTEGER) =>
      store.messages.ofRoom(findRoom(room).id, limit, before).map(viewMessage),
    async send({ to, text, replyTo, claudePid }) {
      const { id } = mail.send({ from: speaker(claudePid), to, text, replyTo });
      await mail.settled();
      return viewMessage(store.messages.byId(id) as MessageRow);
    },
    tasks: (project, limit) =>
      store.tasks
        .recent(limit, project === undefined ? undefined : projectNamed(project, undefined).id)
        .map(viewTask),
    createTask({ project, title, to, status, files, claudePid }) {
      const agent = speaker(claudePid);
      const task = tasks.create(projectNamed(project, agent), agent?.name ?? deps.owner, title, {
        state: readState(status),
        owner: to,
        files,
      });
      mail.tellTask(agent, task, to ?? "project");
      return viewTask(task);
    },
    changeTask(id, { status, claudePid, ...change }) {
      const agent = speaker(claudePid);
      const task = tasks.change(id, { ...change, state: readState(status) });
      const others = [task.requester, task.owner].filter(
        (name) => name !== null && name !== (agent?.name ?? deps.owner),
      );
      for (const other of new Set(others)) mail.tellTask(agent, task, other as string);
      return viewTask(task);
    },
    leases: (project) =>
      leasing.running(project === undefined ? undefined : projectNamed(project, undefined).id).map(viewLease),
    takeLease({ globs, exclusive, minutes, taskId, claudePid }) {
      const agent = agentOf(claudePid);
      const request = { globs, isExclusive: exclusive, ttlMs: minutes * 60_000, taskId: taskId ?? null };
      const lease = leasing.take(agent, projectNamed(undefined, agent), request);
      mail.tellLease(agent, lease, false);
      return viewLease(lease);
    },
    releaseLease(id, claudePid) {
      const agent = speaker(claudePid);
      const lease = leasing.release(id, agent);
      const holder = store.agents.byId(lease.holder);
      if (holder) mail.tellLease(holder, lease, true);
      return viewLease(lease);
    },
    async matrix() {
      const { users, rooms, events } = await homeserver.stats();
      const { queued, failed } = store.messages.countByState();
      const url = homeserverUrl();
      const { serverName, owner } = deps;
      return {
        homeserver: "embedded",
        url,
        serverName,
        owner,
        following: mail.health(),
        queued,
        failed,
        users,
        rooms,
        events,
      };
    },
    async invite({ name }) {
      if (store.agents.byName(name)) throw new AppError("invalid_payload", `${name} is an agent.`);
      const password = randomBytes(12).toString("base64url");
      const { userId, isNew } = await homeserver.setPassword(name, password);
      const owner = await accounts.ofOwner();
      for (const { id, kind } of store.rooms.all())
        if (kind === "project" && userId !== owner.userId) await owner.invite(id, userId);
      return { userId, password, url: homeserverUrl() ?? "", isNew };
    },
  };

  function homeserverUrl(): string | null {
    const port = homeserver.port();
    return deps.publicUrl ?? (port === undefined ? null : `http://127.0.0.1:${port}`);
  }
}

function readState(status: string | undefined): TaskState | undefined {
  if (status === undefined) return undefined;
  const state = readTaskState(status);
  if (!state) throw new AppError("invalid_payload", `A task is ${taskStates.join(", ")}, not ${status}.`);
  return state;
}
