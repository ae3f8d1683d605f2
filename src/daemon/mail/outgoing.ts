import type { MatrixClient } from "../../matrix-client/client.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import type { Address } from "../../domain/mail/address.ts";
import { findNames, leaseField, taskField, toContent, toStatusEvent } from "../../domain/mail/message.ts";
import { backoffMs, remainingMs } from "../../shared/backoff.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { RemoteAgent, RoomFinder } from "./room-finder.ts";
import type { DaemonContext } from "../runtime/context.ts";

/**
 * Sends queued messages to the homeserver and retries until they arrive or fail for good. Messages from one sender to
 * one address arrive in order; an unreachable recipient delays no other.
 */
interface OutgoingMail {
  /** Sends messages that are due. */
  sendDue(): void;
  /** Resolves when nothing more can be done for this message now: it was sent, it failed, or it waits for a retry. */
  waitForAttempt(message: MessageRow): Promise<void>;
  /** Resolves when no send is in progress. */
  stop(): Promise<void>;
}

interface OutgoingDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  accounts: Accounts;
  rooms: RoomFinder;
  readAddress(text: string): Address;
  /** Called when the homeserver limits what we send. */
  onLimit(text: string): void;
  /** Notifies the sender that a message cannot be delivered. */
  onFailed(message: MessageRow, why: string): void;
}

const backoff = { firstMs: 500, maxMs: 30_000 };
/** Maximum pause between attempts, even if the homeserver asks for a longer one. */
const maxPauseMs = 3_600_000;
/**
 * We may have left a room, or the homeserver may have been replaced: the room is resolved again this often before we
 * give up.
 */
const maxRoomSearches = 2;
/** An agent of another machine that has just started is not in its room yet: it is looked up this often. */
const maxAgentSearches = 4;

export function openOutgoingMail(deps: OutgoingDeps): OutgoingMail {
  const { store, bus, log, clock, accounts, rooms } = deps;
  const lanes = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  const pauseOf = ({ dueAt }: MessageRow): number => remainingMs(dueAt, clock(), maxPauseMs);

  function sendDue(): void {
    if (isStopping) return;
    clearTimeout(timer);
    const waiting = store.messages.listLaneHeads().filter((head) => !lanes.has(laneOf(head)));
    for (const head of waiting) if (pauseOf(head) === 0) void run(head);
    const later = waiting.map(pauseOf).filter((pauseMs) => pauseMs > 0);
    if (later.length > 0) timer = setTimeout(sendDue, Math.min(...later)).unref();
  }

  function run({ agentId, address }: MessageRow): Promise<void> {
    const lane = laneOf({ agentId, address });
    const running = sendAll(agentId, address)
      .catch((error: unknown) => log.error("mail is not sent", { error }))
      .finally(() => {
        lanes.delete(lane);
        sendDue(); // Picks up messages in the same queue, now or for the next retry.
      });
    lanes.set(lane, running);
    return running;
  }

  async function sendAll(agentId: string | null, address: string): Promise<void> {
    for (;;) {
      const message = isStopping ? undefined : store.messages.findLaneHead(agentId, address);
      if (!message || pauseOf(message) > 0) return;
      await send(message);
    }
  }

  async function send(message: MessageRow): Promise<void> {
    let client: MatrixClient | undefined;
    try {
      client = await clientOf(message);
      // The sending account is stored before the event can be seen on the homeserver.
      if (message.userId !== client.userId)
        store.messages.update({ ...reread(message), userId: client.userId });
      const { roomId, remote } = await findPlace(message, client);
      if (message.kind !== "text") await sendStatusEvent(message, client, roomId);
      const eventId = await client.send(roomId, "m.room.message", contentOf(message, remote), message.id);
      if (isStopping) return; // Sent again after the next start; its transaction id makes it the same event.
      // A follower may have seen and stored it first.
      store.messages.update({ ...reread(message), roomId, eventId, state: "sent", error: null });
      bus.publish({ type: "message.sent", messageId: message.id, roomId, sender: message.sender });
    } catch (error) {
      if (!isStopping) recordFailure(message, client, error);
    }
  }

  async function findPlace(
    message: MessageRow,
    client: MatrixClient,
  ): Promise<{ roomId: string; remote?: RemoteAgent }> {
    const address = deps.readAddress(message.address);
    // An agent of another machine is found again at each attempt: the machine may have another account since.
    if (message.roomId !== null && address.kind !== "remote") return { roomId: message.roomId };
    const agent = message.agentId === null ? undefined : store.agents.byId(message.agentId);
    const project = agent && store.projects.byPath(agent.project);
    const { room, ...found } = await rooms.find(address, { client, project });
    store.messages.update({ ...reread(message), roomId: room.id });
    return { roomId: room.id, ...found };
  }

  /** Also sends a task or lease to the project's room as an event of its own type, for programs. */
  async function sendStatusEvent(message: MessageRow, client: MatrixClient, roomId: string): Promise<void> {
    const extra = parseJson(message.extra ?? "{}") as Record<string, Record<string, unknown>>;
    const { [taskField]: task, [leaseField]: lease } = extra;
    try {
      if (task) await sendTaskEvent(message, task, client, roomId);
      // A lease is always announced in the project's room.
      if (lease)
        await client.send(roomId, leaseField, toStatusEvent(lease, accounts.machine), `${message.id}-event`);
    } catch (error) {
      if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined || error.status === 401)
        throw error;
      log.warn(`a ${message.kind} is not shown in its project's room`, { message: message.id, error });
    }
  }

  /**
   * If the message goes to another room, people in the project's room get a copy. The transaction ids are the same for
   * every recipient and every attempt.
   */
  async function sendTaskEvent(
    { body }: MessageRow,
    fields: Record<string, unknown>,
    client: MatrixClient,
    roomId: string,
  ): Promise<void> {
    const task = store.tasks.byId(String(fields["task_id"]));
    const project = task && store.projects.byId(task.projectId);
    if (!project) return;
    const key = `task-${task.id}-${Number(fields["rev"])}`;
    const room = await rooms.joinProject(project, client);
    await client.send(room.id, taskField, toStatusEvent(fields, accounts.machine), `${key}-event`);
    if (room.id === roomId) return;
    const notice = {
      ...toStatusEvent({ [taskField]: fields }, accounts.machine),
      msgtype: "m.notice",
      body,
      "m.mentions": {},
    };
    await client.send(room.id, "m.room.message", notice, `${key}-notice`);
  }

  function clientOf({ agentId }: MessageRow): Promise<MatrixClient> {
    const agent = agentId === null ? undefined : store.agents.byId(agentId);
    return agent ? accounts.clientOfAgent(agent) : accounts.clientOfOwner();
  }

  function contentOf(
    { id, sender, agentId, body, kind, hops, extra, replyTo, address }: MessageRow,
    remote: RemoteAgent | undefined,
  ): object {
    const to = deps.readAddress(address);
    const names = to.kind === "agent" ? [...findNames(body), to.name] : findNames(body);
    const named = names.filter((name) => store.agents.byName(name));
    const allNamed = [...new Set(remote ? [...named, remote.name] : named)];
    const shown = remote ? [...named, address.replace(/ \(.*$/s, "")] : allNamed;
    const mentioned = accounts.isShared ? [] : named.map(accounts.userIdOf);
    const isPrefixed = accounts.isShared || (accounts.isOutside && agentId === null);
    return toContent({
      id,
      kind,
      hops,
      body: isPrefixed ? `${sender}${describeTo(shown)}: ${body}` : body,
      agent: agentId === null ? null : sender,
      machine: accounts.machine,
      extra: extra === null ? null : (parseJson(extra) as Record<string, unknown>),
      replyToEvent: (replyTo && store.messages.byId(replyTo)?.eventId) ?? null,
      mentions: remote?.isOwnAccount ? [...mentioned, remote.userId] : mentioned,
      names: accounts.isShared || remote ? allNamed : [],
    });
  }

  function reread(message: MessageRow): MessageRow {
    return store.messages.byId(message.id) ?? message;
  }

  function recordFailure(message: MessageRow, client: MatrixClient | undefined, error: unknown): void {
    const now = reread(message);
    if (now.state !== "queued") return; // It was sent after all: a follower saw it.
    const attempts = now.attempts + 1;
    const why = (error as Error).message;
    const status = error instanceof MatrixError ? error.status : undefined;
    if (client && status === 401) accounts.forget(client);
    const isRoomGone = (status === 403 || status === 404) && attempts <= maxRoomSearches;
    if (isRoomGone && now.roomId !== null) rooms.forget(now.roomId);
    const isRemote = deps.readAddress(now.address).kind === "remote";
    const isLate = isRemote && error instanceof AppError && attempts < maxAgentSearches;
    const isHopeless =
      (error instanceof MatrixError && error.retryAfterMs === undefined && status !== 401 && !isRoomGone) ||
      // A refused login is a configuration problem, not a problem of the message.
      (error instanceof AppError &&
        error.kind !== "unavailable" &&
        error.code !== "matrix_refused" &&
        !isLate);
    if (isHopeless) {
      store.messages.update({ ...now, state: "failed", attempts, error: why });
      log.warn("message not delivered", { message: now.id, reason: why });
      bus.publish({ type: "message.failed", messageId: now.id, sender: now.sender, reason: why });
      deps.onFailed(now, why);
      return;
    }
    if (status === 429)
      deps.onLimit(
        "It limits how often one account may send: messages wait for it. Ask its administrator for a higher rate.",
      );
    const retryAfterMs = error instanceof MatrixError ? (error.retryAfterMs ?? 0) : 0;
    const pauseMs = backoffMs(attempts, backoff, { retryAfterMs: Math.min(retryAfterMs, maxPauseMs) });
    const roomId = isRoomGone ? null : now.roomId;
    store.messages.update({ ...now, roomId, attempts, dueAt: clock() + pauseMs, error: why });
  }

  return {
    sendDue,
    async waitForAttempt(message) {
      sendDue();
      await lanes.get(laneOf(message));
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await Promise.all(lanes.values());
    },
  };
}

function laneOf({ agentId, address }: Pick<MessageRow, "agentId" | "address">): string {
  return `${agentId ?? ""} ${address}`;
}

function describeTo(names: readonly string[]): string {
  return names.length > 0 ? ` → ${names.join(", ")}` : "";
}
