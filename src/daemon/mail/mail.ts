import { type Address, parseAddress } from "../../domain/mail/address.ts";
import { toLocalName } from "../../domain/mail/machine.ts";
import { judgeSending, type LoopLimits } from "../../domain/mail/loop-guard.ts";
import { redactText } from "../../redact/redact-text.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { MatrixEraser } from "../matrix/matrix-eraser.ts";
import { openMailListeners } from "./mail-listeners.ts";
import { openOutgoingMail } from "./outgoing.ts";
import { makeRoomFinder, type RoomFinder } from "./room-finder.ts";
import { dayMs, hourMs } from "../../shared/clock.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface NewMessage {
  /** The id of an earlier attempt, if any; created here if the sender has none. */
  id?: string | undefined;
  /** Undefined for the person at this machine. */
  from: AgentRow | undefined;
  to: string;
  text: string;
  kind?: MessageRow["kind"];
  extra?: Record<string, unknown>;
  replyTo?: string | undefined;
}

/** Messages between agents and people, through the homeserver. */
export interface Mail {
  /**
   * Stores the message at once and sends it as soon as possible; a known id returns the stored message. Throws if a
   * chain of agents has gone on too long without a person.
   */
  send(message: NewMessage): MessageRow;
  /** Throws the same errors as `send`: an invalid address, or too many messages. */
  check(to: string, from: AgentRow | undefined): void;
  /** Waits briefly for the first attempt to send it. */
  waitForAttempt(message: MessageRow): Promise<void>;
  rooms: RoomFinder;
  /** Deletes messages past their retention time, in the background. */
  removeExpired(): void;
  health(): { agent: string; trouble: string }[];
  /** Restrictions of the homeserver, seen since the start. */
  limits(): string[];
  start(): void;
  stop(): Promise<void>;
}

interface MailDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  accounts: Accounts;
  agents: AgentViews;
  deliveries: Deliveries;
  /** Name of the person at this machine, as others see it. */
  owner: string;
  limits: LoopLimits;
  /** Cancels every running call to the homeserver. */
  end(): void;
  /** The identity that all checkouts of a project share: its remote, if it has one. */
  readKey(project: ProjectRow): Promise<string | undefined>;
  /** Erases data on our homeserver. */
  erase: MatrixEraser["erase"];
}

const careMs = 30_000;
const maxWaitMs = 2_000;

export function openMail(deps: MailDeps): Mail {
  const { store, bus, log, clock, accounts, deliveries, owner, limits } = deps;
  const notAllowed = new Set<string>();
  const rooms = makeRoomFinder({
    ...deps,
    onKnown: (roomId) => bus.publish({ type: "room.changed", roomId }),
    onLimit: (text) => notAllowed.add(text),
  });
  const outgoing = openOutgoingMail({
    ...deps,
    rooms,
    readAddress: resolveAddress,
    onFailed: reportFailure,
    onLimit: (text) => notAllowed.add(text),
  });
  const listening = openMailListeners({
    ...deps,
    rooms,
    onLimit: (text) => notAllowed.add(text),
  });
  let care: { stop(): void } | undefined;
  let clearing: Promise<void> | undefined;

  function send({ id, from, to, text, kind = "text", extra, replyTo }: NewMessage): MessageRow {
    const body = redactText(text).text;
    const kept = id === undefined ? undefined : store.messages.byId(id);
    if (kept) {
      if (kept.state !== "received" && isSame(kept, { agentId: from?.id ?? null, address: to, body }))
        return kept;
      throw new AppError("id_taken", `Another message already has the id ${id}.`);
    }
    // Lease messages wake no agent, so they cannot be part of a loop.
    if (kind !== "lease") check(to, from);
    const hops = from ? countHops(from) : 0;
    const message: MessageRow = {
      id: id ?? makeId(clock()),
      eventId: null,
      roomId: null,
      address: to,
      sender: from?.name ?? owner,
      userId: from ? accounts.userIdOf(from.name) : accounts.speakerId(),
      agentId: from?.id ?? null,
      isAgent: from !== undefined,
      kind,
      body,
      extra: extra ? JSON.stringify(extra) : null,
      replyTo: replyTo ?? null,
      hops,
      state: "queued",
      attempts: 0,
      dueAt: 0,
      error: null,
      // Not older than the agents that exist, even if the clock was set back: they would take it for history.
      createdAt: Math.max(clock(), store.agents.newestAt()),
    };
    store.messages.insert(message);
    outgoing.sendDue();
    return message;
  }

  function isSame(kept: MessageRow, request: Pick<MessageRow, "agentId" | "address" | "body">): boolean {
    return kept.agentId === request.agentId && kept.address === request.address && kept.body === request.body;
  }

  function check(to: string, from: AgentRow | undefined): void {
    if (from && store.projects.isOff(from.project))
      throw new AppError(
        "matrix_off",
        `Project ${from.projectName} is switched off: its agents cannot send messages.`,
      );
    rooms.check(resolveAddress(to), from);
    if (from) checkLoop(from, to);
  }

  function resolveAddress(to: string): Address {
    const isAgent = (name: string): boolean => store.agents.byName(name) !== undefined;
    const self = { name: owner, userId: accounts.ownerId };
    return parseAddress(to, isAgent, self, (name) => toLocalName(accounts.machine, name));
  }

  /** One more than the longest chain delivered to this agent since a person last wrote to it. */
  function countHops({ id }: AgentRow): number {
    const session = store.sessions.latestOfAgent(id);
    const spokenAt = session ? store.turns.lastHumanPromptAt(session.id) : 0;
    return store.messages.maxHopsTo(id, spokenAt) + 1;
  }

  function checkLoop(from: AgentRow, to: string): void {
    const hops = countHops(from);
    const since = clock() - hourMs;
    const toAnybody = store.messages.listSendTimes(from.id, since);
    const toRecipient = store.messages.listSendTimes(from.id, since, to);
    const judged = judgeSending({ hops, toRecipient, toAnybody }, limits, clock());
    if (!judged.isAllowed) throw new AppError("too_many_messages", judged.why);
  }

  /** Notifies the sender. */
  function reportFailure(message: MessageRow, why: string): void {
    const sender = message.agentId === null ? undefined : store.agents.byId(message.agentId);
    if (!sender || message.kind !== "text") return;
    const body = `Your message to ${message.address} was not delivered: ${why}`;
    deliveries.queue({ to: sender.name, kind: "notice", sender: "rookery", source: "mail", body });
  }

  /**
   * Deletes old messages in rooms that have a retention time: first on our homeserver, so that a failure there is
   * retried. Other homeservers have their own retention.
   */
  async function removeExpired(): Promise<void> {
    for (const { id, keepDays } of store.rooms.all()) {
      if (keepDays === null) continue;
      const to = clock() - keepDays * dayMs;
      const old = store.messages.listOld(id, to);
      if (old.length === 0) continue;
      const events = old.flatMap(({ eventId }) => eventId ?? []);
      // The period also covers events that are no messages: tasks, leases, reactions.
      if (!accounts.isOutside) await deps.erase({ events, rooms: [id], span: { from: 0, to } });
      const ids = old.map((message) => message.id);
      store.db.transaction(() => {
        store.messages.remove(ids);
        store.deliveries.removeMessages(ids);
        for (const gone of ids) store.index.remove("message", gone);
      });
    }
  }

  function scheduleRemoval(): void {
    clearing ??= removeExpired()
      .catch((error: unknown) => log.warn("old messages not deleted", { error }))
      .finally(() => {
        clearing = undefined;
      });
  }

  return {
    send,
    check,
    rooms,
    removeExpired: scheduleRemoval,
    health: listening.health,
    limits: () => [...notAllowed],
    async waitForAttempt(message) {
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, maxWaitMs).unref());
      await Promise.race([outgoing.waitForAttempt(message), timeout]);
    },
    start() {
      care = repeat(
        careMs,
        () => {
          scheduleRemoval();
          outgoing.sendDue();
        },
        log,
      );
      listening.start();
      runLogged(outgoing.sendDue, log);
    },
    async stop() {
      care?.stop();
      deps.end();
      await Promise.all([outgoing.stop(), listening.stop(), clearing]);
    },
  };
}
