import { leaseField, taskField } from "../../domain/mail/message.ts";
import { judgeSending, type LoopLimits } from "../../domain/mail/loop-guard.ts";
import type { Lease } from "../../domain/mail/lease.ts";
import { redactText } from "../../domain/redact/redact-text.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { TaskRow } from "../../store/tasks.ts";
import type { Bus } from "../bus.ts";
import type { Deliveries } from "../deliveries.ts";
import { attempt, repeat } from "../repeat.ts";
import { isLive } from "../seats.ts";
import type { Accounts } from "./accounts.ts";
import { openFollowers } from "./followers.ts";
import { openOutgoing } from "./outgoing.ts";
import { makeRoomFinder, type RoomFinder } from "./room-finder.ts";

export interface NewMessage {
  /** Undefined for the person at this machine. */
  from: AgentRow | undefined;
  to: string;
  text: string;
  kind?: MessageRow["kind"];
  extra?: Record<string, unknown>;
  replyTo?: string | undefined;
}

/** What agents and people say to each other, by way of the homeserver. */
export interface Mail {
  /** Kept at once, sent as soon as may be. Refused where a chain of agents has no person in it any more. */
  send(message: NewMessage): MessageRow;
  /** Waits for what is on its way, but not for long. */
  settled(): Promise<void>;
  tellTask(from: AgentRow | undefined, task: TaskRow, to: string): void;
  tellLease(from: AgentRow, lease: Lease, isReleased: boolean): void;
  rooms: RoomFinder;
  health(): { agent: string; trouble: string }[];
  start(): void;
  stop(): Promise<void>;
}

export interface MailDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  accounts: Accounts;
  deliveries: Deliveries;
  /** Name of the person at this machine, as others see it. */
  owner: string;
  limits: LoopLimits;
}

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** An agent whose session ended is listened for a little longer: it may be resumed. */
const lookMs = 30_000;
const longestWaitMs = 2_000;

export function openMail(deps: MailDeps): Mail {
  const { store, bus, log, clock, accounts, deliveries, owner, limits } = deps;
  const rooms = makeRoomFinder(store, accounts, clock);
  const followers = openFollowers({ store, bus, log, clock, accounts });
  const outgoing = openOutgoing({ store, bus, log, clock, accounts, rooms, onFailed });
  let unsubscribe = (): void => {};
  let care: { stop(): void } | undefined;

  function send({ from, to, text, kind = "text", extra, replyTo }: NewMessage): MessageRow {
    const hops = from ? nextHops(from) : 0;
    // What the daemon tells about tasks and leases is bounded by what they are.
    if (from && kind === "text") guard(from, to, hops);
    const message: MessageRow = {
      id: makeId(clock()),
      eventId: null,
      roomId: null,
      address: to,
      sender: from?.name ?? owner,
      userId: accounts.userIdOf(from?.name ?? owner),
      agentId: from?.id ?? null,
      kind,
      body: redactText(text).text,
      extra: extra ? JSON.stringify(extra) : null,
      replyTo: replyTo ?? null,
      hops,
      state: "queued",
      attempts: 0,
      dueAt: 0,
      error: null,
      createdAt: clock(),
    };
    store.messages.insert(message);
    void outgoing.pump();
    return message;
  }

  /** One more than the longest chain that this agent was told of since a person last spoke to it. */
  function nextHops({ id }: AgentRow): number {
    const session = store.sessions.latestOfAgent(id);
    const spokenAt = session ? store.turns.lastHumanPromptAt(session.id) : 0;
    return store.messages.longestChain(id, spokenAt) + 1;
  }

  function guard(from: AgentRow, to: string, hops: number): void {
    const since = clock() - hourMs;
    const toAnybody = store.messages.sentAt(from.id, since);
    const judged = judgeSending(
      { hops, toRecipient: store.messages.sentAt(from.id, since, to), toAnybody },
      limits,
      clock(),
    );
    if (!judged.isAllowed) throw new AppError("too_many_messages", judged.why);
  }

  /** Whoever wrote it should know. */
  function onFailed(message: MessageRow, why: string): void {
    const sender = message.agentId === null ? undefined : store.agents.byId(message.agentId);
    if (!sender || message.kind !== "text") return;
    const body = `Your message to ${message.address} was not delivered: ${why}`;
    deliveries.queue({ to: sender.name, kind: "notice", sender: "rookery", source: "mail", body });
  }

  /** Everybody with a live session listens, and sits in the room of its project. */
  function look(): void {
    for (const agent of store.agents.all()) {
      const session = store.sessions.latestOfAgent(agent.id);
      if (session && isLive(session, clock())) seat(agent);
      else followers.remove(agent.id);
    }
  }

  function seat(agent: AgentRow): void {
    const project = store.projects.byPath(agent.project);
    if (!project || project.mode === "off") return followers.remove(agent.id);
    followers.add(agent);
    accounts
      .ofAgent(agent)
      .then((client) => rooms.joinProject(project, client))
      .catch((error: unknown) =>
        log.warn("an agent is not in its project's room yet", { agent: agent.name, error }),
      );
  }

  /** Old messages go where their room says so. */
  function clear(): void {
    for (const { id, keepDays } of store.rooms.all())
      if (keepDays !== null) store.messages.removeOld(id, clock() - keepDays * dayMs);
  }

  /** What reached an agent is shown as read to those who look. */
  function markRead(deliveryId: string): void {
    const delivery = store.deliveries.byId(deliveryId);
    const message = delivery?.messageId ? store.messages.byId(delivery.messageId) : undefined;
    const agent = delivery && store.agents.byId(delivery.agentId);
    if (!agent || !message?.eventId || !message.roomId) return;
    const { roomId, eventId } = message;
    accounts
      .ofAgent(agent)
      .then((client) => client.markRead(roomId, eventId))
      .catch((error: unknown) => log.warn("a receipt was not sent", { agent: agent.name, error }));
  }

  return {
    send,
    rooms,
    health: () => followers.health(),
    async settled() {
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, longestWaitMs).unref());
      await Promise.race([outgoing.pump(), timeout]);
    },
    tellTask(from, task, to) {
      const { id, state, title, owner: taskOwner, rev, progress, result, files } = task;
      const fields = {
        v: 1,
        task_id: id,
        status: state,
        title,
        owner: taskOwner,
        rev,
        progress_pct: progress,
        result,
        files,
      };
      const text = `Task ${id.slice(-6)} “${title}” is ${state}${taskOwner ? `, with ${taskOwner}` : ""}${progress === null ? "" : `, ${progress} %`}.${result ? `\n${result}` : ""}`;
      send({ from, to, text, kind: "task", extra: { [taskField]: fields } });
    },
    tellLease(from, lease, isReleased) {
      const { id, globs, isExclusive, expiresAt, fence, taskId } = lease;
      const fields = {
        v: 1,
        lease_id: id,
        globs,
        exclusive: isExclusive,
        holder: from.name,
        expires_ts: isReleased ? 0 : expiresAt,
        task_id: taskId,
        fence,
      };
      const text = isReleased
        ? `${from.name} has released ${globs.join(", ")}.`
        : `${from.name} has taken ${globs.join(", ")} until ${new Date(expiresAt).toISOString()}.`;
      send({ from, to: "project", text, kind: "lease", extra: { [leaseField]: fields } });
    },
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "session.started") look();
        if (event.type === "delivery.confirmed") markRead(event.deliveryId);
      });
      care = repeat(
        lookMs,
        () => {
          look();
          clear();
        },
        log,
      );
      attempt(look, log);
      void outgoing.pump();
    },
    async stop() {
      unsubscribe();
      care?.stop();
      outgoing.stop();
      await followers.stop();
    },
  };
}
