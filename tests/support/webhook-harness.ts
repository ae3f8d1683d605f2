import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel } from "../../src/channels/channel.ts";
import { openWebhook, type Webhook } from "../../src/channels/webhook/webhook-channel.ts";
import { systemClock } from "../../src/shared/clock.ts";
import type { ChannelHarness } from "../conformance/channel-contract.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes 123").toString("base64")}`;

function makeSignature(id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}

interface Received {
  id: string;
  type: string;
  data: any;
}

interface WebhookHarness extends ChannelHarness {
  received: Received[];
  url: string;
}

/** Our channel and a receiver that checks every signature on its own. Failed answers are sent again, as a receiver should. */
export async function openWebhookHarness(): Promise<WebhookHarness> {
  const received: Received[] = [];
  const told: string[] = [];
  const pending: { id: string; body: object }[] = [];
  let fault: { status: number; headers: Record<string, string> } | "hang up" | undefined;
  let current: Webhook;

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (fault === "hang up") {
        request.socket.destroy();
        return;
      }
      if (fault) {
        response.writeHead(fault.status, fault.headers).end();
        return;
      }
      const id = String(request.headers["webhook-id"]);
      const timestamp = String(request.headers["webhook-timestamp"]);
      const expected = Buffer.from(`v1,${makeSignature(id, timestamp, body)}`);
      const given = Buffer.from(String(request.headers["webhook-signature"]));
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
      if (isSigned && !received.some((each) => each.id === id)) received.push({ id, ...JSON.parse(body) });
      response.writeHead(isSigned ? 204 : 401).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function open(): Channel {
    const opened = openWebhook({ url, secret, people: () => ["ada"], clock: systemClock });
    current = opened;
    const { channel } = opened;
    return {
      ...channel,
      start(inbox) {
        channel.start(inbox);
        void flush();
      },
    };
  }

  /** Sends pending requests, oldest first. */
  async function flush(): Promise<void> {
    for (const act of [...pending]) {
      const body = JSON.stringify(act.body);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers: Record<string, string> = {
        "webhook-id": act.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${makeSignature(act.id, timestamp, body)}`,
      };
      const receipt = await current.receive((name) => headers[name], body).catch(() => undefined);
      if (!receipt) return;
      pending.splice(pending.indexOf(act), 1);
      if (receipt.message) told.push(receipt.message);
    }
  }

  async function act(actId: string, type: string, data: object): Promise<void> {
    pending.push({ id: actId, body: { type, data: { sender: { id: "ada", name: "Ada" }, ...data } } });
    await flush();
  }

  return {
    channel: open(),
    reopen: open,
    received,
    url,
    messages: async () =>
      received
        .filter(({ type }) => type !== "question.settled")
        .map(({ id, type, data }) => {
          const outcome = received.findLast(
            (each) => each.data.message === id && each.type === "question.settled",
          );
          return {
            text: `${describe(data)}\n${outcome?.data.outcome ?? ""}`,
            files: [],
            canAct: type === "question.opened" && !outcome,
            live: [],
          };
        }),
    person: {
      press(_place, card, answer, actId) {
        const said =
          answer.type === "answers"
            ? { answers: answer.answers }
            : answer.type === "allow"
              ? { allow: answer.scope }
              : { deny: answer.reason };
        return act(actId, "answer", { ticket: card.ticket, ...said });
      },
      say: (place, text, actId) =>
        act(actId, "message", { text, ...(place === null ? {} : { replyTo: place }) }),
      told: async () => told,
    },
    async fail(how) {
      if (how === "outage") fault = "hang up";
      if (how === "limited") fault = { status: 429, headers: { "retry-after": "2" } };
      if (how === "refused") fault = { status: 410, headers: {} };
    },
    async repair() {
      fault = undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Every text of an event. */
function describe(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(describe).join("\n") : "";
}

/** A signed request, for a daemon. */
export function signRequest(key: string, body: object, id = `msg_${randomUUID()}`, atMs = Date.now()) {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac("sha256", Buffer.from(key.slice(6), "base64"))
    .update(`${id}.${timestamp}.${text}`)
    .digest("base64");
  return {
    text,
    headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` },
  };
}
