import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { ChannelError, type MessageRef } from "../channel.ts";
import { makeKeyBlockId } from "./action-ids.ts";
import type { Destination } from "./destination.ts";
import { type Attachment, type Drawing, drawCard, drawNotice, drawOutcome } from "./draw-card.ts";
import { mayHaveSucceeded, platformCode, toChannelError } from "./errors.ts";
import { makeMessageRef, parseMessageRef, type SlackMessageRef } from "./message-ref.ts";
import { showInvisible } from "../show-invisible.ts";
import type { Web } from "./web.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface PosterOptions {
  web: Web;
  log: Log;
  clock: Clock;
  isInteractive: boolean;
  destination: Destination;
}

interface Poster {
  post(card: Card, key: string): Promise<MessageRef>;
  settle(place: MessageRef, card: Card, outcome: Outcome): Promise<void>;
  notify(notice: Notice, key: string): Promise<MessageRef>;
}

/** For this long after the start, posting first checks whether a crashed daemon has already posted the message. */
const recheckMs = 60_000;
/** How many messages back to search; a duplicate is always recent. */
const historyLimit = 100;
const maxRemembered = 500;
/** Turns off markup and link previews. */
const literalText = { mrkdwn: false, unfurl_links: false, unfurl_media: false } as const;

export function makePoster(options: PosterOptions): Poster {
  const { web, log, clock, isInteractive, destination } = options;
  const startedAt = clock();
  /** Recent messages by key; null if it is unknown whether the message arrived. */
  const posted = new Map<string, SlackMessageRef | null>();

  /** Slack has no idempotency keys: if the message may exist already, search for it before posting. */
  async function findOrPost(key: string, drawing: Drawing): Promise<SlackMessageRef> {
    const earlier = posted.get(key);
    if (earlier) return earlier;
    const channel = await destination.find();
    if (earlier === null || clock() - startedAt < recheckMs) {
      const ts = await find(channel, key);
      if (ts !== undefined) return remember(key, { channel, ts });
    }
    const { text, blocks } = drawing;
    try {
      const { ts = "" } = await web.run("chat.postMessage", (client) =>
        client.chat.postMessage({ channel, text, blocks, ...literalText }),
      );
      return remember(key, { channel, ts });
    } catch (thrown) {
      if (mayHaveSucceeded(toChannelError(thrown))) remember(key, null);
      throw thrown;
    }
  }

  function remember<T extends SlackMessageRef | null>(key: string, place: T): T {
    posted.delete(key);
    posted.set(key, place);
    dropOldest(posted, maxRemembered);
    return place;
  }

  async function find(channel: string, key: string): Promise<string | undefined> {
    const { messages = [] } = await web.run("conversations.history", (client) =>
      client.conversations.history({ channel, limit: historyLimit }),
    );
    const id = makeKeyBlockId(key);
    return messages.find(({ blocks }) => blocks?.[0]?.block_id === id)?.ts;
  }

  async function update({ channel, ts }: SlackMessageRef, { text, blocks }: Drawing): Promise<void> {
    await web.run("chat.update", (client) => client.chat.update({ channel, ts, text, blocks }));
  }

  async function upload({ channel, ts }: SlackMessageRef, files: Attachment[]): Promise<void> {
    await web.run("files.uploadV2", (client) =>
      client.files.uploadV2({
        channel_id: channel,
        thread_ts: ts,
        file_uploads: files.map(({ name, title, content }) => ({
          filename: name,
          title,
          content: showInvisible(content),
        })),
      }),
    );
  }

  /** Adds the buttons after the upload, so that nobody can approve a text that they cannot read in full. */
  async function postWithFiles(card: Card, key: string, files: Attachment[]): Promise<SlackMessageRef> {
    const note = "The full text follows in this message’s thread …";
    const place = await findOrPost(key, drawCard(card, { key, isInteractive, note }));
    try {
      await upload(place, files);
    } catch (thrown) {
      const error = toChannelError(thrown);
      if (error.retry === "later") throw error;
      log.warn("slack: could not upload a file", { message: error.message });
      const why = `The full text could not be uploaded. Please answer in the terminal or the viewer. ${error.message}`;
      await update(place, drawCard(card, { key, isInteractive, note: why }));
      return place;
    }
    await update(place, drawCard(card, { key, isInteractive }));
    return place;
  }

  return {
    async post(card, key) {
      const drawing = drawCard(card, { key, isInteractive });
      const { files } = drawing;
      return makeMessageRef(
        await (files.length > 0 ? postWithFiles(card, key, files) : findOrPost(key, drawing)),
      );
    },
    async settle(place, card, outcome) {
      try {
        await update(parseMessageRef(place), drawOutcome(card, outcome));
      } catch (thrown) {
        // The message was deleted, so there is nothing to update.
        if (thrown instanceof ChannelError && platformCode(thrown) === "message_not_found") return;
        throw thrown;
      }
    },
    async notify(notice, key) {
      const drawing = drawNotice(notice, key);
      const place = await findOrPost(key, drawing);
      if (drawing.files.length > 0)
        await upload(place, drawing.files).catch((error: ChannelError) => {
          if (error.retry === "later") throw error;
          log.warn("slack: could not upload a file", { message: error.message }); // The posted message shows the start.
        });
      return makeMessageRef(place);
    },
  };
}
