import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import { type AnswerHints, type Channel, ChannelError, type ChannelHealth, type Inbox } from "../channel.ts";
import { makeKnownCards } from "../known-cards.ts";
import { drawCard, drawNotice, drawOutcome, drawUnanswerable } from "./draw.ts";
import { readMessage } from "./read-message.ts";
import { isAccessError, type Notification, type NtfyEvent, openNtfyServer } from "./server.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

export interface NtfyOptions {
  url: string;
  token: string | undefined;
  /** The topic that the phone reads, and the one that it answers to. Both names are secrets. */
  topic: string;
  answerTopic: string;
  /** Whether permissions and plans are sent in full and can be approved. */
  approvals: boolean;
  people(): string[];
  /** The id or time of the last message that was read, kept across restarts. */
  loadPosition(): string | undefined;
  savePosition(position: string): void;
  log: Log;
}

const timeoutMs = 10_000;
const backoff = { firstMs: 1_000, maxMs: 60_000 };
const maxRemembered = 500;
const hints: AnswerHints = {
  decide: "To allow or deny, use the buttons of the notification.",
  several: "Send the code and one number per question.",
  address: "Start with the code of the question.",
};

/** Pushes questions and notices to a topic of an ntfy server; buttons and typed answers arrive on another topic. */
export function openNtfyChannel(options: NtfyOptions): Channel {
  const { log, topic, answerTopic } = options;
  const server = openNtfyServer({ ...options, timeoutMs });
  const route = {
    answerUrl: `${options.url.replace(/\/+$/, "")}/${answerTopic}`,
    approvals: options.approvals,
  };
  /** ntfy does not identify senders: everyone who knows the topics counts as the same one. */
  const sender = `topic ${hash("sha256", `${options.url} ${topic} ${answerTopic}`).slice(0, 12)}`;
  const cards = makeKnownCards();
  const posted = new Set<string>();
  const ending = new AbortController();
  let state: ChannelHealth = { state: "connecting", detail: "" };
  let ended: Promise<void> = Promise.resolve();

  async function listen(inbox: Inbox): Promise<void> {
    const { signal } = ending;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await server.follow(answerTopic, options.loadPosition(), async (event) => {
          [failures, state] = [0, { state: "ready", detail: "" }];
          if (event.event === "message") await handle(inbox, event);
          // On the first run, answers from before now are skipped, by the server's clock.
          const isFirst = options.loadPosition() === undefined;
          if (event.event === "message" || isFirst)
            options.savePosition(event.event === "message" ? event.id : String(event.time));
        });
        throw new ChannelError("later", "The ntfy server closed the connection.");
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const { message } = error as Error;
        const retryAfterMs = error instanceof ChannelError ? error.afterMs : 0;
        if (error instanceof ChannelError)
          state = { state: isAccessError(error) ? "misconfigured" : "failing", detail: message };
        log.debug("ntfy: could not read answers", { message });
        const pauseMs = backoffMs(failures, backoff, { retryAfterMs, random: Math.random() });
        await pause(pauseMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
      }
    }
  }

  async function handle(inbox: Inbox, { id, time, message = "" }: NtfyEvent): Promise<void> {
    const read = readMessage(message, cards.list());
    const isApproval = read?.content.type === "allow";
    if (!read || (isApproval && !options.approvals) || ending.signal.aborted) return;
    const receipt = await inbox.receive({
      ...read,
      id: `message:${id}`,
      channel: "ntfy",
      sender: { id: sender, team: null, name: "ntfy", isGuest: false, isBot: false },
      room: { id: answerTopic, isDirect: true, isShared: false },
      at: time * 1000,
      hints,
    });
    if (!receipt.message) return;
    const response = { title: "Rookery", message: receipt.message, priority: 3 };
    await publish(`say ${id}`, response).catch((error: Error) =>
      log.debug("ntfy: could not respond", { message: error.message }),
    );
  }

  function publish(key: string, drawing: Omit<Notification, "topic" | "sequence_id">): Promise<void> {
    return server.publish({ topic, sequence_id: makeSequenceId(key), ...drawing });
  }

  /** A repeated notification would replace the first, but ring again. */
  async function once(key: string, send: () => Promise<void>): Promise<string> {
    if (!posted.has(key)) await send();
    posted.add(key);
    dropOldest(posted, maxRemembered);
    return makeSequenceId(key);
  }

  return {
    name: "ntfy",
    canAnswer: true,
    start(inbox) {
      ended = listen(inbox);
    },
    async stop() {
      ending.abort();
      server.stop();
      await ended;
    },
    health: () =>
      options.people().length === 0 && state.state !== "misconfigured"
        ? { state: "off", detail: "No one is paired. Run: rookery pair ntfy" }
        : state,
    async post(card, key) {
      const place = await once(key, async () => {
        const { drawing, file } = drawCard(card, route);
        // The file first, so that nobody can approve a text that they cannot read in full.
        const isReadable = !file || (await upload(`${key} file`, file));
        await publish(key, isReadable ? drawing : drawUnanswerable(card));
      });
      cards.add(place, card);
      return place;
    },
    settle: (place, card, outcome) =>
      server.publish({ topic, sequence_id: place, ...drawOutcome(card, outcome, route) }),
    notify: (notice, key) => once(key, () => publish(key, drawNotice(notice))),
    watch(open) {
      for (const { place, card } of open) cards.add(place, card);
    },
  };

  /** False if the server takes no attachments. */
  async function upload(key: string, file: { name: string; text: string }): Promise<boolean> {
    try {
      await once(key, () => server.upload(topic, makeSequenceId(key), file));
      return true;
    } catch (error) {
      if (!(error instanceof ChannelError) || error.retry === "later" || isAccessError(error)) throw error;
      log.warn("ntfy: could not send a file", { message: error.message });
      return false;
    }
  }
}

function makeSequenceId(key: string): string {
  return hash("sha256", key).slice(0, 32);
}
