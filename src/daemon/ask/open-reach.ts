import { setTimeout as delay } from "node:timers/promises";
import type { Channel, Inbox, OpenCard } from "../../channels/channel.ts";
import type { NoticeKind } from "../../domain/ask/card.ts";
import { redactText } from "../../redact/redact-text.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import { isUsable, openOutbox } from "./outbox.ts";
import { queueCards, queueNotice, releaseNotices, settleCards } from "./outbox-rows.ts";
import type { PresenceWatch } from "./presence.ts";
import type { Questions } from "./questions.ts";
import type { Reach } from "./reach.ts";
import type { OutboxTable } from "../../store/outbox.ts";
import { dayMs } from "../../shared/clock.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface ReachControl extends Reach {
  /** Marks a viewer as open until the returned function is called. */
  openViewer(): () => void;
  /** Retries a parked or waiting message now. False if there is none. */
  retry(id: string): boolean;
  /** Drops a message. False if there is none. */
  drop(id: string): boolean;
}

interface ReachingDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  questions: Questions;
  presence: PresenceWatch;
  channels: readonly Channel[];
  inbox: Inbox;
  /** The enabled kinds of notifications. */
  wanted: Record<Exclude<NoticeKind, "approved">, boolean>;
  random?: () => number;
}

/** Interval of checks while a message waits for the person to leave. */
const recheckMs = 5_000;
/** Interval of the check for changes that cause no event, such as a channel whose settings were fixed. */
const maintenanceMs = 30_000;
const maxStopMs = 2_000;
/** Cards are kept this long, so that a click on an old one still shows who answered. */
const keptDays = 30;

/** Decides what is sent and when; the outbox sends it. */
export function openReach(deps: ReachingDeps): ReachControl {
  const { store, bus, log, clock, questions, presence, channels } = deps;
  const changedIds = new Set<string>();
  const viewers = new Set<symbol>();
  let isScheduled = false;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let maintenance: { stop(): void } | undefined;
  let unsubscribe = (): void => {};
  const updateCardLists = makeCardListUpdater(store.outbox, questions, channels);
  const outbox = openOutbox({
    store,
    questions,
    channels,
    log,
    clock,
    random: deps.random ?? Math.random,
    onSent: updateCardLists,
  });

  /** Coalesces the events of one tick into one check. */
  function schedule(): void {
    if (isScheduled || !isRunning) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (isRunning) runLogged(check, log);
    });
  }

  function check(): void {
    const person = presence.check();
    const isQuiet = presence.isQuiet();
    const nowMs = clock();
    const isWaiting = store.db.transaction(() => {
      const areAllCardsQueued = queueCards(
        store.outbox,
        questions,
        channels,
        person.isHere || isQuiet,
        nowMs,
      );
      const changedCards = [...changedIds].flatMap((id) => store.outbox.listCards(id));
      settleCards(store.outbox, questions, changedCards, nowMs);
      return !releaseNotices(store.outbox, person, isQuiet, nowMs) || !areAllCardsQueued;
    });
    changedIds.clear();
    updateCardLists();
    outbox.sendDue();
    clearTimeout(timer);
    if (!isWaiting) return;
    const untilMs = (person.until ?? Number.POSITIVE_INFINITY) - clock();
    timer = setTimeout(schedule, Math.max(10, Math.min(recheckMs, untilMs))).unref();
  }

  return {
    start() {
      isRunning = true;
      for (const channel of channels) channel.start(deps.inbox);
      for (const row of store.outbox.listCardsSince(clock() - keptDays * dayMs))
        changedIds.add(row.questionId ?? "");
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "question.opened" || event.type === "question.settled") changedIds.add(event.id);
        else if (event.type !== "presence.changed") return;
        schedule();
      });
      maintenance = repeat(
        maintenanceMs,
        () => {
          store.outbox.purge(clock() - keptDays * dayMs);
          store.access.purgeReplies(clock() - keptDays * dayMs);
          schedule();
        },
        log,
      );
      schedule();
    },
    async stop() {
      isRunning = false;
      clearTimeout(timer);
      maintenance?.stop();
      unsubscribe();
      const ended = Promise.all([outbox.stop(), ...channels.map((channel) => channel.stop())]);
      // An unresponsive service must not delay the shutdown: unconfirmed messages are resent later with the same key.
      await Promise.race([ended, delay(maxStopMs, undefined, { ref: false })]);
    },
    canReach: () =>
      viewers.size > 0 ||
      channels.some(
        (channel) =>
          channel.canAnswer &&
          isUsable(channel) &&
          store.access.listPeople().some((person) => person.channel === channel.name),
      ),
    notify(notice) {
      const usable = channels.filter(isUsable);
      const isWanted = notice.kind === "approved" || deps.wanted[notice.kind];
      if (!isWanted || usable.length === 0) return false;
      const safe = {
        ...notice,
        headline: redactText(notice.headline).text,
        body: redactText(notice.body).text,
      };
      store.db.transaction(() => {
        for (const channel of usable) queueNotice(store.outbox, channel, safe, clock());
      });
      schedule();
      return true;
    },
    openViewer() {
      const viewer = Symbol("viewer");
      viewers.add(viewer);
      return () => void viewers.delete(viewer);
    },
    retry(id) {
      const row = store.outbox.byId(id);
      if (!row || !["parked", "waiting", "sending"].includes(row.state)) return false;
      const state = row.state === "parked" ? "waiting" : row.state;
      store.outbox.update({ ...row, state, attempts: 0, dueAt: clock(), error: null });
      schedule();
      return true;
    },
    drop(id) {
      const row = store.outbox.byId(id);
      if (!row || !["parked", "waiting", "held"].includes(row.state)) return false;
      store.outbox.update({ ...row, state: "dropped" });
      return true;
    },
  };
}

/**
 * Keeps every channel's list of open cards up to date. Called often: a card is made once, and a list is sent only if it
 * changed.
 */
function makeCardListUpdater(
  outbox: OutboxTable,
  questions: Questions,
  channels: readonly Channel[],
): () => void {
  const sent = new Map<Channel, string>();
  let cards = new Map<string, { channel: string; open: OpenCard }>();

  return () => {
    const current: typeof cards = new Map();
    const asked = new Set(questions.listOpen().map(({ id }) => id));
    for (const { id, channel, questionId, ticket, place, postedAt } of outbox.listShownCards()) {
      if (questionId === null || place === null || !asked.has(questionId)) continue;
      const card = cards.get(id)?.open.card ?? questions.makeCard(questionId, ticket ?? "");
      if (card) current.set(id, { channel, open: { place, card, postedAt: postedAt ?? 0 } });
    }
    cards = current;
    for (const channel of channels) {
      const open = [...cards.values()]
        .filter((each) => each.channel === channel.name)
        .map((each) => each.open);
      const places = open.map(({ place }) => place).join("\n");
      if (sent.get(channel) === places) continue;
      sent.set(channel, places);
      channel.watch(open);
    }
  };
}
