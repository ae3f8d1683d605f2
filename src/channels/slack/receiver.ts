import { readPairingCode } from "../../domain/access/pairing.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { AnswerHints, Inbox, Receipt, Reply } from "../channel.ts";
import { paragraph } from "./blocks.ts";
import { drawMessageModal } from "./draw-modal.ts";
import { blockActions, type Message, messageEvent, viewSubmission } from "./inbound.ts";
import type { KnownCards } from "../known-cards.ts";
import { limits } from "./limits.ts";
import { isDirect, type People } from "./people.ts";
import { makeMessageRef, parseTimestamp } from "./message-ref.ts";
import { escapeText, unescapeText } from "./plain.ts";
import { readAction, readSubmission } from "./read-action.ts";
import type { Envelope } from "./socket.ts";
import type { Web } from "./web.ts";

interface ReceiverOptions {
  web: Web;
  people: People;
  cards: KnownCards;
  inbox: Inbox;
  log: Log;
  clock: Clock;
  /** False if the cards have no buttons. */
  isInteractive: boolean;
  /** True while a pairing code may arrive in this channel. */
  expectsCodeIn(channel: string): boolean;
}

export interface Receiver {
  /**
   * Processes an envelope and acknowledges it after the commit, without a time limit. Without the acknowledgement
   * Slack redelivers a message (deduplicated by id) and shows the person that a button press failed.
   */
  handleEnvelope(envelope: Envelope): Promise<void>;
  /**
   * Processes a reply in a card's thread or a direct message. Rejects if it could not be checked or stored; the caller
   * retries.
   */
  handleMessage(channel: string, message: Message, isMarkedShared: boolean): Promise<void>;
}

const buttonHints: AnswerHints = {
  decide: "To allow or deny, use the buttons of the card.",
  several: "Use the form on the card.",
  address: "Reply in the thread of a question, or use its buttons.",
};
const replyHints: AnswerHints = {
  decide: "Allow or deny in the terminal or the viewer.",
  several: "Answer it in the terminal or the viewer.",
  address: "Reply in the thread of a question.",
};

/** Where to respond. */
interface ResponseTarget {
  channel: string;
  thread: string | undefined;
}

export function makeReceiver(options: ReceiverOptions): Receiver {
  const { web, people, cards, inbox, log, clock, expectsCodeIn } = options;
  const hints = options.isInteractive ? buttonHints : replyHints;

  async function receive(
    from: Pick<Reply, "id" | "at" | "target" | "content">,
    who: ClaimedSender,
  ): Promise<Receipt> {
    const [sender, room] = await Promise.all([
      people.fetchSender(who.user, who.team),
      people.fetchRoom(who.channel, who.isMarkedShared),
    ]);
    return inbox.receive({ ...from, channel: "slack", sender, room, hints });
  }

  /** Responds so that only this person sees it: ephemeral in a channel, a plain message in a direct message. */
  async function respondPrivately(
    user: string,
    { channel, thread }: ResponseTarget,
    text: string,
  ): Promise<void> {
    const message = {
      channel,
      text: escapeText(text),
      blocks: [paragraph([{ text, max: limits.sectionText }])],
      ...(thread === undefined ? {} : { thread_ts: thread }),
    };
    const sent = isDirect(channel)
      ? web.run("chat.postMessage", (client) =>
          client.chat.postMessage({ ...message, mrkdwn: false, unfurl_links: false, unfurl_media: false }),
        )
      : web.run("chat.postEphemeral", (client) => client.chat.postEphemeral({ ...message, user }));
    await sent.catch((error: Error) => log.warn("slack: could not respond", { message: error.message }));
  }

  async function handleButtonPress(envelope: Envelope): Promise<void> {
    const press = blockActions.safeParse(envelope.body).data;
    if (!press) return envelope.ack();
    const { user, trigger_id: trigger, channel, message } = press;
    const spot = { channel: channel.id, thread: message.ts };
    const intent = readAction(press, cards.byTicket);
    if (intent.kind !== "answer") {
      // Nothing to commit, so acknowledge immediately: a modal must be opened within three seconds.
      void envelope.ack();
      if (intent.kind === "incomplete") await respondPrivately(user.id, spot, intent.message);
      if (intent.kind === "modal")
        await web
          .run("views.open", (client) => client.views.open({ trigger_id: trigger, view: intent.view }))
          .catch(() => respondPrivately(user.id, spot, "That took too long. Please press the button again."));
      return;
    }
    const { ticket, content } = intent;
    const actionTs = press.actions[0]?.action_ts;
    const at = actionTs ? parseTimestamp(actionTs) : clock();
    const who = { user: user.id, team: user.team_id ?? null, channel: channel.id, isMarkedShared: false };
    const receipt = await receive({ id: `press:${trigger}`, at, target: { ticket }, content }, who);
    await envelope.ack();
    if (receipt.message) await respondPrivately(user.id, spot, receipt.message);
  }

  async function handleSubmission(envelope: Envelope): Promise<void> {
    const payload = viewSubmission.safeParse(envelope.body).data;
    const submission = payload && readSubmission(payload, cards.byTicket);
    if (!submission) return envelope.ack();
    const { user, trigger_id: trigger } = payload;
    const { data, content } = submission;
    const who = { user: user.id, team: user.team_id ?? null, channel: data.channel, isMarkedShared: false };
    const target = { ticket: data.ticket };
    const receipt = await receive({ id: `modal:${trigger}`, at: clock(), target, content }, who);
    const isTaken = receipt.result === "accepted" || receipt.result === "duplicate" || !receipt.message;
    if (isTaken) await envelope.ack();
    else await envelope.ack({ response_action: "update", view: drawMessageModal(receipt.message ?? "") });
    if (isTaken && receipt.message)
      await respondPrivately(user.id, { channel: data.channel, thread: data.thread }, receipt.message);
  }

  async function handleMessage(channel: string, message: Message, isMarkedShared: boolean): Promise<void> {
    const { ts, user, user_team: team } = message;
    // Bots, edits, joins and files are not answers.
    if (!user || message.bot_id || message.subtype) return;
    const thread = message.thread_ts && message.thread_ts !== ts ? message.thread_ts : undefined;
    const place = thread === undefined ? undefined : makeMessageRef({ channel, ts: thread });
    const text = unescapeText(message.text).trim();
    if (!text) return;
    const isCode = expectsCodeIn(channel) && readPairingCode(text) !== undefined;
    // Ignore other channel messages outside a card's thread.
    if (!isDirect(channel) && !(place && cards.has(place)) && !isCode) return;
    const reply = {
      id: `message:${channel}:${ts}`,
      at: parseTimestamp(ts),
      target: place === undefined ? null : { place },
      content: { type: "text" as const, text },
    };
    const receipt = await receive(reply, { user, team: team ?? null, channel, isMarkedShared });
    void confirm(receipt);

    async function confirm({ result, message }: Receipt): Promise<void> {
      if (message && user) await respondPrivately(user, { channel, thread }, message);
      else if (result === "accepted")
        await web
          .run("reactions.add", (client) =>
            client.reactions.add({ channel, timestamp: ts, name: "white_check_mark" }),
          )
          .catch((error: Error) => log.debug("slack: no reaction", { message: error.message }));
    }
  }

  async function handleMessageEvent(envelope: Envelope): Promise<void> {
    const event = messageEvent.safeParse(envelope.body).data;
    if (event) await handleMessage(event.event.channel, event.event, event.is_ext_shared_channel);
    await envelope.ack();
  }

  return {
    handleMessage,
    async handleEnvelope(envelope) {
      try {
        if (envelope.type === "events_api") await handleMessageEvent(envelope);
        else if (envelope.type !== "interactive") await envelope.ack();
        else if (viewSubmission.safeParse(envelope.body).success) await handleSubmission(envelope);
        else await handleButtonPress(envelope);
      } catch (error) {
        // Not acknowledged, so Slack redelivers a message, or shows the person that the press failed.
        log.warn("slack: could not process an envelope", { type: envelope.type, error });
      }
    },
  };
}

interface ClaimedSender {
  user: string;
  team: string | null;
  channel: string;
  isMarkedShared: boolean;
}
