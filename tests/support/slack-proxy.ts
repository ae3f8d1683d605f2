import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket, WebSocketServer } from "ws";
import { readFrame, tokens } from "./local-slack.ts";
import { findOffence } from "./slack-limits.ts";

/** Active faults; they stay until changed. */
interface SlackFaults {
  /** Closes all connections and accepts no new ones. */
  isDown: boolean;
  /** Answers every call with 429 and this many seconds. */
  limitedSeconds: number;
  /** Answers every call with this status. */
  status: number;
  latencyMs: number;
  /** Valid tokens. */
  bot: string;
  app: string;
  /** The app's scopes; a call that needs another one is refused. */
  scopes: string[];
  /** Guests, people of another team, and shared channels. */
  guests: string[];
  strangers: string[];
  shared: string[];
  /** The next call of this method takes effect, but its response is lost. */
  loseAnswerOf: string;
  /** Delivers everything twice, in another envelope, as Slack does after a late acknowledgement. */
  isDoubled: boolean;
}

export interface Delivered {
  envelopeId: string;
  type: string;
  payload: any;
  /** Time until the bot's acknowledgement; undefined if there is none yet. */
  ackMs?: number;
  response?: any;
}

/** A proxy between our SDKs and the emulator that adds Slack's behaviour that the emulator lacks. */
export interface SlackProxy {
  apiUrl: string;
  faults: SlackFaults;
  /** Envelopes delivered over sockets, in order. */
  delivered: Delivered[];
  /** Every request body sent to Slack, as text. */
  sent: string[];
  /** Number of calls of a method. */
  count(method: string): number;
  /** Open sockets of the app. */
  sockets(): number;
  /** Asks the app to reconnect, as Slack does, or cuts the connection. */
  disconnect(how: "asked" | "cut"): void;
  /** Redelivers a payload in another envelope; `change` can forge it. */
  redeliver(earlier: Delivered, change?: (payload: any) => void): void;
  close(): Promise<void>;
}

export const allScopes = [
  ...["chat:write", "im:history", "im:write", "channels:history", "groups:history", "channels:read"],
  ...["groups:read", "files:write", "reactions:write", "users:read"],
];

const neededScope: Record<string, string> = {
  "chat.postMessage": "chat:write",
  "chat.update": "chat:write",
  "conversations.open": "im:write",
  "conversations.info": "channels:read",
  "conversations.replies": "im:history",
  "conversations.history": "im:history",
  "files.getUploadURLExternal": "files:write",
  "reactions.add": "reactions:write",
  "users.info": "users:read",
  "users.list": "users:read",
  "users.lookupByEmail": "users:read.email",
};

export async function openSlackProxy(emulator: string): Promise<SlackProxy> {
  const faults: SlackFaults = {
    isDown: false,
    limitedSeconds: 0,
    status: 0,
    latencyMs: 0,
    loseAnswerOf: "",
    isDoubled: false,
    bot: tokens.bot,
    app: tokens.app,
    scopes: allScopes,
    guests: [],
    strangers: [],
    shared: [],
  };
  const counts = new Map<string, number>();
  const delivered: Delivered[] = [];
  const sent: string[] = [];
  const seen = new Set<string>();
  const downstream: WebSocket[] = [];
  /** Selected values of a message's inputs: Slack sends them with every press, the emulator never does. */
  const chosen = new Map<string, Record<string, any>>();
  let turn = 0;

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const own = `http://127.0.0.1:${port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = request.url ?? "/";
    const method = path.startsWith("/api/") ? path.slice(5) : "";
    sent.push(
      `${path}\n${[...new URLSearchParams(body.toString("utf8"))].join("\n")}\n${body.toString("utf8")}`,
    );
    counts.set(method, (counts.get(method) ?? 0) + 1);
    if (faults.latencyMs > 0) await pause(faults.latencyMs);
    if (faults.isDown) return void request.socket.destroy();
    const answer = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, {
        "content-type": "application/json",
        "x-oauth-scopes": faults.scopes.join(","),
        ...headers,
      });
      response.end(JSON.stringify(value));
    };
    if (method && faults.limitedSeconds > 0)
      return answer(
        429,
        { ok: false, error: "ratelimited" },
        { "retry-after": String(faults.limitedSeconds) },
      );
    if (faults.status > 0) return answer(faults.status, { ok: false });
    const refusal = method && refuse(method, request, body);
    if (refusal) return answer(200, { ok: false, ...refusal });

    const headers = { ...(request.headers as Record<string, string>) };
    delete headers.host;
    delete headers.connection;
    delete headers["content-length"];
    const reply = await fetch(`${emulator}${path}`, {
      method: request.method ?? "GET",
      headers,
      ...(request.method === "GET" ? {} : { body }),
    });
    const text = await reply.text();
    if (method === faults.loseAnswerOf && method) {
      faults.loseAnswerOf = "";
      return void request.socket.destroy();
    }
    if (!method) {
      response.writeHead(reply.status);
      return void response.end(text);
    }
    answer(200, amend(method, JSON.parse(text), new URLSearchParams(body.toString("utf8"))));
  }

  function refuse(method: string, request: IncomingMessage, body: Buffer): object | undefined {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const expected = method === "apps.connections.open" ? faults.app : faults.bot;
    if (token !== expected) return { error: token ? "invalid_auth" : "not_authed" };
    const needed = neededScope[method];
    if (needed && !faults.scopes.includes(needed)) return { error: "missing_scope", needed };
    if (!/^(chat\.(postMessage|update|postEphemeral)|views\.open)$/.test(method)) return undefined;
    const args = new URLSearchParams(body.toString("utf8"));
    const blocks = args.get("view") ? JSON.parse(args.get("view") ?? "").blocks : parse(args.get("blocks"));
    const offence = findOffence(blocks);
    return offence ? { error: offence.split(":")[0], detail: offence } : undefined;
  }

  /** Adds the fields that the emulator's response lacks. */
  function amend(method: string, result: any, args: URLSearchParams): any {
    const oldest = Number(args.get("oldest") ?? 0);
    if (result.messages)
      result.messages = result.messages.filter(
        (each: any) => each.ts === args.get("ts") || Number(each.ts) > oldest,
      );
    if (method === "users.info" && result.user) {
      result.user.is_restricted = faults.guests.includes(result.user.id);
      if (faults.strangers.includes(result.user.id)) result.user.team_id = "T0OTHERS";
    }
    if (method === "conversations.info" && result.channel)
      result.channel.is_ext_shared = faults.shared.includes(result.channel.id);
    if (typeof result.upload_url === "string") result.upload_url = result.upload_url.replace(emulator, own);
    if (method === "apps.connections.open" && result.url)
      result.url = result.url.replace(emulator.replace("http", "ws"), own.replace("http", "ws"));
    return result;
  }

  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (down, request) => {
    if (faults.isDown) return down.terminate();
    const up = new WebSocket(`${emulator.replace("http", "ws")}${request.url}`);
    downstream.push(down);
    up.on("message", (data) => {
      const envelope = JSON.parse(readFrame(data));
      if (envelope.envelope_id) route(envelope);
      else down.send(readFrame(data));
    });
    down.on("message", (data) => {
      const { envelope_id: id, payload } = JSON.parse(readFrame(data));
      const act = delivered.find(({ envelopeId }) => envelopeId === id);
      if (act) Object.assign(act, { ackMs: performance.now() - sentAt.get(id)!, response: payload });
      if (up.readyState === WebSocket.OPEN) up.send(readFrame(data));
    });
    const end = (): void => {
      if (downstream.includes(down)) downstream.splice(downstream.indexOf(down), 1);
      up.close();
      down.close();
    };
    for (const socket of [up, down]) {
      socket.on("close", end);
      socket.on("error", end);
    }
  });

  const sentAt = new Map<string, number>();

  /** The emulator sends to every connection; Slack only to one. */
  function route(envelope: any): void {
    if (seen.has(envelope.envelope_id)) return;
    seen.add(envelope.envelope_id);
    if (envelope.payload?.type === "block_actions") addState(envelope.payload);
    send(envelope.envelope_id, envelope.type, envelope.payload);
    if (faults.isDoubled) send(randomUUID(), envelope.type, envelope.payload);
  }

  function send(envelopeId: string, type: string, payload: any): void {
    const target = downstream[turn++ % Math.max(1, downstream.length)];
    if (!target) return;
    delivered.push({ envelopeId, type, payload });
    sentAt.set(envelopeId, performance.now());
    const accepts = type !== "events_api";
    target.send(
      JSON.stringify({ envelope_id: envelopeId, type, payload, accepts_response_payload: accepts }),
    );
  }

  function addState(payload: any): void {
    const key = payload.message?.ts ?? "";
    const values = chosen.get(key) ?? {};
    chosen.set(key, values);
    const [action] = payload.actions;
    if (action.type !== "button") {
      const { type, selected_option, selected_options } = action;
      values[action.block_id] = { [action.action_id]: { type, selected_option, selected_options } };
    }
    payload.state = { values: structuredClone(values) };
  }

  return {
    apiUrl: `${own}/api/`,
    faults,
    delivered,
    sent,
    count: (method) => counts.get(method) ?? 0,
    sockets: () => downstream.length,
    disconnect(how) {
      for (const socket of [...downstream])
        if (how === "cut") socket.terminate();
        else socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    },
    redeliver(earlier, change) {
      const payload = structuredClone(earlier.payload);
      change?.(payload);
      send(randomUUID(), earlier.type, payload);
    },
    async close() {
      for (const socket of downstream) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(json: string | null): any {
  return json === null ? undefined : JSON.parse(json);
}
