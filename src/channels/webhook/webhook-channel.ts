import { hash } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { tryParseJson } from "../../shared/json.ts";
import {
  type AnswerHints,
  type Channel,
  ChannelError,
  type ChannelHealth,
  type Inbox,
  type Receipt,
} from "../channel.ts";
import { describeCard, describeNotice, describeOutcome, inbound, readInbound } from "./payloads.ts";
import { sign, type SignedHeaders, verify } from "./signature.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface WebhookOptions {
  url: string;
  secret: string;
  people(): string[];
  clock: Clock;
}

/** The channel, and the other direction: signed requests that the receiver sends to the daemon. */
export interface Webhook {
  channel: Channel;
  /** Throws `ChannelError`: `never` if the request is not valid, `later` if it could not be processed. */
  receive(header: (name: keyof SignedHeaders) => string | undefined, body: string): Promise<Receipt>;
}

const timeoutMs = 15_000;
const defaultRetryMs = 30_000;
const maxRemembered = 500;
const hints: AnswerHints = {
  decide: "Allow or deny with the ticket of the question.",
  several: "Send an answer with one list per question.",
  address: "Name the question in replyTo.",
};

/** Posts questions and notices to an address of the person's choice, signed as Standard Webhooks describes. */
export function openWebhook({ url, secret, people, clock }: WebhookOptions): Webhook {
  const posted = new Set<string>();
  const stopped = new AbortController();
  let inbox: Inbox | undefined;
  let state: ChannelHealth = { state: "ready", detail: "" };

  /** Sends once per id. The outbox retries. */
  async function send(id: string, type: string, data: object): Promise<string> {
    if (posted.has(id)) return id;
    const body = JSON.stringify({ type, timestamp: new Date(clock()).toISOString(), data });
    try {
      await post(id, body);
    } catch (error) {
      state = { state: "failing", detail: (error as Error).message };
      throw error;
    }
    state = { state: "ready", detail: "" };
    posted.add(id);
    dropOldest(posted, maxRemembered);
    return id;
  }

  async function post(id: string, body: string): Promise<void> {
    const headers = { "content-type": "application/json", ...sign(secret, id, clock(), body) };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
    let response: Response;
    try {
      response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      await response.body?.cancel();
    } catch (thrown) {
      let cause = thrown;
      while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
      throw new ChannelError("later", `Cannot reach the webhook: ${(cause as Error).message}.`, {
        cause: thrown,
      });
    }
    if (!response.ok) throw toChannelError(response);
  }

  return {
    channel: {
      name: "webhook",
      canAnswer: true,
      start(given) {
        inbox = given;
      },
      async stop() {
        inbox = undefined;
        stopped.abort();
      },
      health: () =>
        people().length === 0
          ? { state: "off", detail: "No one is paired. Run: rookery pair webhook" }
          : state,
      post: (card, key) => send(makeId(key), "question.opened", describeCard(card, makeId(key))),
      async settle(place, card, outcome) {
        const data = describeOutcome(card, place, outcome);
        await send(makeId(`${place} ${outcome.text}`), "question.settled", data);
      },
      notify: (notice, key) => send(makeId(key), "notice.created", describeNotice(notice)),
      watch() {},
    },
    async receive(header, body) {
      if (!inbox) throw new ChannelError("later", "The daemon is stopping.");
      const verified = verify(secret, header, body, clock());
      if ("refusal" in verified) throw new ChannelError("never", `Refused: ${verified.refusal}.`);
      const { data } = inbound.safeParse(tryParseJson(body));
      if (!data) throw new ChannelError("never", "Refused: the body is not a valid answer or message.");
      const { id, name = id } = data.data.sender;
      return inbox.receive({
        ...readInbound(data),
        id: verified.id,
        channel: "webhook",
        sender: { id, team: null, name, isGuest: false, isBot: false },
        room: { id: "webhook", isDirect: true, isShared: false },
        at: clock(),
        hints,
      });
    },
  };
}

function toChannelError({ status, headers }: Response): ChannelError {
  const answered = `The webhook answered HTTP ${status}`;
  if (status === 429 || status >= 500) {
    const afterMs = Number(headers.get("retry-after")) * 1000 || (status === 429 ? defaultRetryMs : 0);
    return new ChannelError("later", `${answered}.`, { afterMs });
  }
  const why =
    status < 400 ? "redirects are not followed" : "fix the receiver, then `rookery outbox --retry ID`";
  return new ChannelError("never", `${answered}: ${why}.`);
}

/** The same for every attempt, so that the receiver recognises a repeated delivery. */
function makeId(key: string): string {
  return `msg_${hash("sha256", key).slice(0, 32)}`;
}
