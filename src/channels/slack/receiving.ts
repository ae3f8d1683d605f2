import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Inbox, Receipt, Reply } from "../channel.ts";
import { paragraph } from "./blocks.ts";
import { drawMessageModal } from "./draw-modal.ts";
import { blockActions, type Message, messageEvent, viewSubmission } from "./inbound.ts";
import type { KnownCards } from "./known-cards.ts";
import { limits } from "./limits.ts";
import { isDirect, type People } from "./people.ts";
import { makePlace, timeOf } from "./place.ts";
import { escapeText, unescapeText } from "./plain.ts";
import { readAction, readSubmission } from "./read-action.ts";
import type { Envelope } from "./socket.ts";
import type { Web } from "./web.ts";

export interface ReceivingOptions {
  web: Web;
  people: People;
  cards: KnownCards;
  inbox: Inbox;
  log: Log;
  clock: Clock;
}

export interface Receiving {
  /**
   * Takes what came over the socket and acknowledges it once it is committed, however long that takes: unacknowledged, a
   * message is sent again (its id tells that it is known) and a press shows the person that it has not counted yet.
   */
  take(envelope: Envelope): Promise<void>;
  /** Takes what was written under a card or to the bot. Rejects where it could not be judged or kept: it comes again. */
  takeMessage(channel: string, message: Message, isToldShared: boolean): Promise<void>;
}

/** Where to answer somebody. */
interface Spot {
  channel: string;
  thread: string | undefined;
}

export function makeReceiving(options: ReceivingOptions): Receiving {
  const { web, people, cards, inbox, log, clock } = options;

  async function receive(from: Pick<Reply, "id" | "at" | "target" | "said">, who: Who): Promise<Receipt> {
    const [sender, room] = await Promise.all([
      people.sender(who.user, who.team),
      people.room(who.channel, who.isToldShared),
    ]);
    return inbox.receive({ ...from, channel: "slack", sender, room });
  }

  /** For this person alone, as far as the place allows: in a direct message there is nobody else. */
  async function tell(user: string, { channel, thread }: Spot, say: string): Promise<void> {
    const message = {
      channel,
      text: escapeText(say),
      blocks: [paragraph([{ text: say, most: limits.sectionText }])],
      ...(thread === undefined ? {} : { thread_ts: thread }),
    };
    const tell = isDirect(channel)
      ? web.run("chat.postMessage", (client) =>
          client.chat.postMessage({ ...message, mrkdwn: false, unfurl_links: false, unfurl_media: false }),
        )
      : web.run("chat.postEphemeral", (client) => client.chat.postEphemeral({ ...message, user }));
    await tell.catch((error: Error) => log.warn("slack: could not answer", { message: error.message }));
  }

  async function takePress(envelope: Envelope): Promise<void> {
    const press = blockActions.safeParse(envelope.body).data;
    if (!press) return envelope.ack();
    const { user, trigger_id: trigger, channel, message } = press;
    const spot = { channel: channel.id, thread: message.ts };
    const intent = readAction(press, cards.byTicket);
    if (intent.kind !== "answer") {
      // Nothing to keep: Slack wants to hear at once, and a modal has three seconds to open.
      void envelope.ack();
      if (intent.kind === "incomplete") await tell(user.id, spot, intent.say);
      if (intent.kind === "modal")
        await web
          .run("views.open", (client) => client.views.open({ trigger_id: trigger, view: intent.view }))
          .catch(() => tell(user.id, spot, "That took too long: please press the button again."));
      return;
    }
    const { ticket, said } = intent;
    const actionTs = press.actions[0]?.action_ts;
    const at = actionTs ? timeOf(actionTs) : clock();
    const who = { user: user.id, team: user.team_id ?? null, channel: channel.id, isToldShared: false };
    const receipt = await receive({ id: `press:${trigger}`, at, target: { ticket }, said }, who);
    await envelope.ack();
    if (receipt.say) await tell(user.id, spot, receipt.say);
  }

  async function takeSubmission(envelope: Envelope): Promise<void> {
    const payload = viewSubmission.safeParse(envelope.body).data;
    const submission = payload && readSubmission(payload, cards.byTicket);
    if (!submission) return envelope.ack();
    const { user, trigger_id: trigger } = payload;
    const { data, said } = submission;
    const who = { user: user.id, team: user.team_id ?? null, channel: data.channel, isToldShared: false };
    const target = { ticket: data.ticket };
    const receipt = await receive({ id: `modal:${trigger}`, at: clock(), target, said }, who);
    const isTaken = receipt.result === "accepted" || receipt.result === "duplicate" || !receipt.say;
    if (isTaken) await envelope.ack();
    else await envelope.ack({ response_action: "update", view: drawMessageModal(receipt.say ?? "") });
    if (isTaken && receipt.say)
      await tell(user.id, { channel: data.channel, thread: data.thread }, receipt.say);
  }

  async function takeMessage(channel: string, message: Message, isToldShared: boolean): Promise<void> {
    const { ts, user, user_team: team } = message;
    // Bots, edits, joins, files: nothing of that is a person answering.
    if (!user || message.bot_id || message.subtype) return;
    const thread = message.thread_ts && message.thread_ts !== ts ? message.thread_ts : undefined;
    const place = thread === undefined ? undefined : makePlace({ channel, ts: thread });
    // What people say to each other in a channel is none of our business.
    if (!isDirect(channel) && !(place && cards.has(place))) return;
    const text = unescapeText(message.text).trim();
    if (!text) return;
    const reply = {
      id: `message:${channel}:${ts}`,
      at: timeOf(ts),
      target: place === undefined ? null : { place },
      said: { type: "text" as const, text },
    };
    const receipt = await receive(reply, { user, team: team ?? null, channel, isToldShared });
    void thank(receipt);

    async function thank({ result, say }: Receipt): Promise<void> {
      if (say && user) await tell(user, { channel, thread }, say);
      else if (result === "accepted")
        await web
          .run("reactions.add", (client) =>
            client.reactions.add({ channel, timestamp: ts, name: "white_check_mark" }),
          )
          .catch((error: Error) => log.debug("slack: no reaction", { message: error.message }));
    }
  }

  async function takeEvent(envelope: Envelope): Promise<void> {
    const event = messageEvent.safeParse(envelope.body).data;
    if (event) await takeMessage(event.event.channel, event.event, event.is_ext_shared_channel);
    await envelope.ack();
  }

  return {
    takeMessage,
    async take(envelope) {
      try {
        if (envelope.type === "events_api") await takeEvent(envelope);
        else if (envelope.type !== "interactive") await envelope.ack();
        else if (viewSubmission.safeParse(envelope.body).success) await takeSubmission(envelope);
        else await takePress(envelope);
      } catch (error) {
        // Not acknowledged: Slack sends a message again, and shows the person that a press has failed.
        log.warn("slack: could not take what came in", { type: envelope.type, error });
      }
    },
  };
}

interface Who {
  user: string;
  team: string | null;
  channel: string;
  isToldShared: boolean;
}
