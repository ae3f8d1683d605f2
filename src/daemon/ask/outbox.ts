import { type Channel, ChannelError } from "../../channels/channel.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { redactText } from "../../redact/redact-text.ts";
import {
  findMergeable,
  isAlwaysSent,
  mergeNotices,
  maxTries,
  repeatNotice,
  sendBackoff,
} from "../../domain/ask/sending.ts";
import { backoffMs, remainingMs } from "../../shared/backoff.ts";
import { parseJson } from "../../shared/json.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Questions } from "./questions.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Sends queued messages to their channels: in order, one at a time per channel, with retries. */
interface Outbox {
  /** Starts sending everything that is due and returns at once. */
  sendDue(): void;
  /** Waits for sends in progress. */
  stop(): Promise<void>;
}

interface OutboxDeps extends Pick<DaemonContext, "store" | "log" | "clock"> {
  questions: Questions;
  channels: readonly Channel[];
  random(): number;
  /** Called after every delivered message. */
  onSent(row: OutboxRow): void;
}

/** Maximum pause between attempts, even if the service asks for a longer one. */
const maxPauseMs = 3_600_000;

export function openOutbox(deps: OutboxDeps): Outbox {
  const { store, questions, log, clock } = deps;
  const { outbox } = store;
  const running = new Map<Channel, Promise<void>>();
  const timers = new Map<Channel, NodeJS.Timeout>();
  let isStopping = false;

  function sendDue(): void {
    for (const channel of deps.channels) {
      if (isStopping || running.has(channel) || !isUsable(channel)) continue;
      const run = sendAll(channel)
        .catch((error: unknown) => log.error("outbox failed", { channel: channel.name, error }))
        .finally(() => running.delete(channel));
      running.set(channel, run);
    }
  }

  async function sendAll(channel: Channel): Promise<void> {
    clearTimeout(timers.get(channel));
    while (!isStopping) {
      const row = outbox.findNextUnsent(channel.name);
      if (!row) return;
      const pauseMs = remainingMs(row.dueAt, clock(), maxPauseMs);
      // Later messages wait too: they would fail for the same reason, and their order must be kept.
      if (pauseMs > 0) {
        timers.set(channel, setTimeout(sendDue, pauseMs).unref());
        return;
      }
      await send(channel, row);
    }
  }

  async function send(channel: Channel, row: OutboxRow): Promise<void> {
    try {
      const sent = row.kind === "notice" ? await sendNotice(channel, row) : await sendCard(channel, row);
      const now = outbox.byId(row.id);
      if (!now) return; // Forgotten in the meantime.
      outbox.update({ ...now, attempts: 0, error: null, ...sent });
      deps.onSent({ ...now, ...sent });
    } catch (error) {
      noteFailure(channel, row, error);
    }
  }

  /** After an outage or quiet hours, all held notifications are sent as one message under the key of the first. */
  async function sendNotice(channel: Channel, row: OutboxRow): Promise<Partial<OutboxRow>> {
    const waiting = outbox.listUnsentNotices(channel.name);
    const mergeable = waiting.filter((each) => !isAlwaysSent(readNotice(each)));
    const stale = findMergeable(mergeable, clock());
    const together = stale.some(({ id }) => id === row.id) ? stale : [row];
    outbox.update({ ...row, state: "sending" });
    const notices = together.map(readNotice);
    const place = await channel.notify(notices.length > 1 ? mergeNotices(notices) : readNotice(row), row.key);
    store.db.transaction(() => {
      // Read again: they may have been forgotten while they were sent.
      for (const { id } of together) {
        const other = id === row.id ? undefined : outbox.byId(id);
        if (other) outbox.update({ ...other, state: "dropped" });
      }
    });
    return { place, state: "sent", postedAt: clock() };
  }

  /** Posts the card, or updates the posted one. */
  async function sendCard(channel: Channel, row: OutboxRow): Promise<Partial<OutboxRow>> {
    const questionId = row.questionId ?? "";
    const card = questions.makeCard(questionId, row.ticket ?? "");
    if (!card) return { state: "dropped" };
    const outcome = questions.getOutcome(questionId);
    if (row.place !== null) {
      if (!outcome || outcome.text === row.shown) return { state: "sent" };
      await channel.settle(row.place, card, outcome);
      // It may have been overruled while the update was being sent.
      const isCurrent = questions.getOutcome(questionId)?.text === outcome.text;
      return { shown: outcome.text, state: isCurrent ? "sent" : "waiting" };
    }
    // Settled before it was posted. If a crash may have left it posted, the channel finds it by its key and settles it.
    if (outcome && row.state === "waiting") return { state: "dropped" };
    outbox.update({ ...row, state: "sending" });
    const place = await channel.post(card, row.key);
    return { place, state: questions.getOutcome(questionId) ? "waiting" : "sent", postedAt: clock() };
  }

  function noteFailure(channel: Channel, row: OutboxRow, error: unknown): void {
    const isKnown = error instanceof ChannelError;
    const attempts = row.attempts + 1;
    const isHopeless = (isKnown && error.retry === "never") || attempts >= maxTries;
    const message = redactText((error as Error).message).text.slice(0, 500);
    log.warn(isHopeless ? "message parked" : "message not sent yet", {
      id: row.id,
      channel: channel.name,
      attempts,
      reason: message,
      ...(isKnown ? {} : { error }),
    });
    const now = outbox.byId(row.id);
    if (!now) return;
    const pauseMs = backoffMs(attempts, sendBackoff, {
      retryAfterMs: isKnown ? Math.min(error.afterMs, maxPauseMs) : 0,
      random: deps.random(),
    });
    outbox.update({
      ...now,
      attempts,
      error: message,
      dueAt: clock() + pauseMs,
      // A channel error says that nothing was posted; after any other error that is uncertain.
      state: isHopeless ? "parked" : isKnown ? "waiting" : "sending",
    });
  }

  return {
    sendDue,
    async stop() {
      isStopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

/** True if the channel is enabled and its settings are valid. */
export function isUsable(channel: Channel): boolean {
  const { state } = channel.health();
  return state !== "off" && state !== "misconfigured";
}

function readNotice({ notice, repeats }: OutboxRow): Notice {
  const newest = parseJson(notice ?? "{}") as Notice;
  return repeats > 1 ? repeatNotice(newest, repeats) : newest;
}
