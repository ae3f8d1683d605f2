import * as z from "zod";
import { tryParseJson } from "../../shared/json.ts";
import { ChannelError } from "../channel.ts";
import { type DiscordApi, makeTokenError } from "./api.ts";
import { gatewayAddress } from "./payloads.ts";

interface GatewayOptions {
  api: DiscordApi;
  token: string;
  signal: AbortSignal;
  /** The service now sends events; called once. */
  onReady(): void;
  onEvent(name: string, data: unknown): void;
}

const opcodes = { event: 0, heartbeat: 1, identify: 2, reconnect: 7, invalidSession: 9, hello: 10, ack: 11 };
const closedForToken = 4004;
/** Messages in direct chats with the bot. Button presses need no intent. */
const directMessages = 1 << 12;
const helloWithinMs = 20_000;

const payload = z.looseObject({
  op: z.number(),
  t: z.string().nullish(),
  s: z.number().nullish(),
  d: z.unknown(),
});
const hello = z.looseObject({ heartbeat_interval: z.number().min(1) });

/**
 * One connection to Discord's gateway; rejects with `ChannelError` when it ends. Each connection is a new session: messages
 * that arrived in between are read through the API, and presses cannot be answered later than three seconds anyway.
 */
export async function listenToGateway(options: GatewayOptions): Promise<never> {
  const { api, token, signal, onReady, onEvent } = options;
  const { url } = gatewayAddress.parse(await api.call("GET", "/gateway/bot"));
  signal.throwIfAborted();
  const socket = new WebSocket(`${checkAddress(url)}?v=10&encoding=json`);
  let timer: NodeJS.Timeout | undefined;
  let sequence: number | null = null;
  let isAcknowledged = true;
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (error: ChannelError): void => reject(error);
  const send = (op: number, d: unknown): void => socket.send(JSON.stringify({ op, d }));

  function beat(): void {
    if (!isAcknowledged) return end(lost("it stopped answering"));
    isAcknowledged = false;
    send(opcodes.heartbeat, sequence);
  }

  function greet(everyMs: number): void {
    clearTimeout(timer);
    timer = setInterval(beat, everyMs);
    const properties = { os: process.platform, browser: "rookery", device: "rookery" };
    send(opcodes.identify, { token, intents: directMessages, properties });
  }

  function receive(text: string): void {
    const { data: received } = payload.safeParse(tryParseJson(text));
    if (!received) return;
    sequence = received.s ?? sequence;
    if (received.op === opcodes.hello) greet(hello.parse(received.d).heartbeat_interval);
    else if (received.op === opcodes.heartbeat) send(opcodes.heartbeat, sequence);
    else if (received.op === opcodes.ack) isAcknowledged = true;
    else if (received.op === opcodes.reconnect || received.op === opcodes.invalidSession)
      end(lost("it asked to reconnect"));
    else if (received.op === opcodes.event && received.t === "READY") onReady();
    else if (received.op === opcodes.event) onEvent(received.t ?? "", received.d);
  }

  timer = setTimeout(() => end(lost("it did not answer")), helloWithinMs);
  socket.onmessage = ({ data }) => {
    try {
      receive(String(data));
    } catch (error) {
      end(lost((error as Error).message));
    }
  };
  socket.onclose = ({ code }) => end(code === closedForToken ? makeTokenError() : lost(`closed (${code})`));
  socket.onerror = () => end(lost("it cannot be reached"));
  const abort = (): void => end(lost("stopped"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    clearTimeout(timer);
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
}

function lost(why: string): ChannelError {
  return new ChannelError("later", `The connection to Discord's gateway ended: ${why}.`);
}

/** The token is sent there, so the connection must be encrypted, or stay on this machine. */
function checkAddress(address: string): string {
  const { protocol, hostname, origin, pathname } = new URL(address);
  const isLocal = protocol === "ws:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if (protocol !== "wss:" && !isLocal)
    throw new ChannelError("later", `Discord named a gateway without encryption: ${origin}.`);
  return `${origin}${pathname.replace(/\/*$/, "/")}`;
}
