import type { MatrixClient } from "../../channels/matrix/client.ts";
import { MatrixError } from "../../channels/matrix/request.ts";
import { readAddress } from "../../domain/mail/address.ts";
import { toContent } from "../../domain/mail/message.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../bus.ts";
import type { Accounts } from "./accounts.ts";
import type { RoomFinder } from "./room-finder.ts";

/** Brings queued messages to the homeserver, in order, again until they are there or never will be. */
export interface Outgoing {
  /** Sends what is due. Resolves when nothing more can be done for now. */
  pump(): Promise<void>;
  stop(): void;
}

export interface OutgoingDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  accounts: Accounts;
  rooms: RoomFinder;
  /** Tells the sender that a message will not get there. */
  onFailed(message: MessageRow, why: string): void;
}

const [firstPauseMs, longestPauseMs] = [500, 60_000];

export function openOutgoing(deps: OutgoingDeps): Outgoing {
  const { store, bus, log, clock, accounts, rooms } = deps;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  function pump(): Promise<void> {
    // One that was queued while the last was sent is found by the same run.
    running ??= sendAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    for (;;) {
      const message = isStopping ? undefined : store.messages.nextQueued();
      if (!message) return;
      const pauseMs = message.dueAt - clock();
      if (pauseMs > 0) {
        timer = setTimeout(() => void pump(), pauseMs).unref();
        return;
      }
      await send(message);
    }
  }

  async function send(message: MessageRow): Promise<void> {
    try {
      const client = await clientOf(message);
      const roomId = message.roomId ?? (await findRoom(message, client));
      const eventId = await client.send(roomId, "m.room.message", contentOf(message), message.id);
      // A follower may have seen it first and noted it.
      store.messages.update({
        ...current(message),
        roomId,
        eventId,
        state: "sent",
        error: null,
      });
      bus.publish({ type: "message.sent", messageId: message.id, roomId, sender: message.sender });
    } catch (error) {
      noteFailure(message, error);
    }
  }

  async function findRoom(message: MessageRow, client: MatrixClient): Promise<string> {
    const agent = message.agentId === null ? undefined : store.agents.byId(message.agentId);
    const project = agent && store.projects.byPath(agent.project);
    const address = readAddress(message.address, (name) => store.agents.byName(name) !== undefined);
    const { id } = await rooms.find(address, { client, project });
    store.messages.update({ ...current(message), roomId: id });
    return id;
  }

  function clientOf({ agentId }: MessageRow): Promise<MatrixClient> {
    const agent = agentId === null ? undefined : store.agents.byId(agentId);
    return agent ? accounts.ofAgent(agent) : accounts.ofOwner();
  }

  function contentOf({ id, sender, agentId, body, kind, hops, extra, replyTo, address }: MessageRow): object {
    const isNamed = /^@[^:]+$/.test(address);
    return toContent({
      ...{ id, body, kind, hops },
      agent: agentId === null ? null : sender,
      extra: extra === null ? null : (JSON.parse(extra) as Record<string, unknown>),
      replyToEvent: (replyTo && store.messages.byId(replyTo)?.eventId) ?? null,
      mentions: isNamed ? [accounts.userIdOf(address.slice(1))] : [],
    });
  }

  function current(message: MessageRow): MessageRow {
    return store.messages.byId(message.id) ?? message;
  }

  function noteFailure(message: MessageRow, error: unknown): void {
    const now = current(message);
    if (now.state !== "queued") return; // It got there after all: a follower saw it.
    if (error instanceof MatrixError && error.status === 401 && now.userId) accounts.forget(now.userId);
    const attempts = now.attempts + 1;
    const why = (error as Error).message;
    const isHopeless =
      (error instanceof MatrixError && error.retryAfterMs === undefined && error.status !== 401) ||
      (error instanceof AppError && error.kind !== "unavailable");
    if (isHopeless) {
      store.messages.update({ ...now, state: "failed", attempts, error: why });
      log.warn("message not delivered", { message: now.id, reason: why });
      deps.onFailed(now, why);
      return;
    }
    const asked = error instanceof MatrixError ? (error.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.max(asked, Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 10)));
    store.messages.update({ ...now, attempts, dueAt: clock() + pauseMs, error: why });
  }

  return {
    pump,
    stop() {
      isStopping = true;
      clearTimeout(timer);
    },
  };
}
