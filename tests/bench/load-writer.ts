/**
 * `node load-writer.ts spool|api '<LoadOrder as JSON>'`: sixteen clients in a separate process. Each sends
 * its next event once the last one was acknowledged. Prints one JSON line per round; the first is the warm-up.
 */
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { makeSessionId, makeToolResult } from "./payloads.ts";

export interface LoadOrder {
  clients: number;
  /** Events per round. */
  rounds: readonly number[];
  bytes: number;
  cwd: string;
  spoolFolder: string;
  bellPort: number;
  apiPort: number;
  token: string;
}

export interface LoadRound {
  events: number;
  ms: number;
  /** User and system time of this process. */
  cpuMs: number;
}

interface Client {
  /** Resolves when this event was acknowledged. */
  send(): Promise<void>;
  close(): void;
}

const [mode, text] = process.argv.slice(2);
const order = JSON.parse(text ?? "") as LoadOrder;
const open = mode === "api" ? openApiClient : openSpoolClient;
const clients = await Promise.all(Array.from({ length: order.clients }, open));
for (const events of order.rounds) console.log(JSON.stringify(await runRound(events)));
for (const client of clients) client.close();

async function runRound(events: number): Promise<LoadRound> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let left = events;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) await client.send();
    }),
  );
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { events, ms, cpuMs: (user + system) / 1000 };
}

/** Puts new ids into a prebuilt payload: building it each time would cost more than sending it. */
function makePayloads(): () => string {
  const template = makeToolResult(order.bytes, makeSessionId(), order.cwd);
  const [head, tail] = template.split(/toolu_[0-9a-f]{24}/) as [string, string];
  const prefix = `${process.pid}-${Math.random()}`;
  let count = 0;
  return () => `${head}toolu_${prefix}-${count++}${tail}`;
}

async function openSpoolClient(): Promise<Client> {
  const nextPayload = makePayloads();
  const serial = Math.floor(Math.random() * 1e9);
  let count = 0;
  return {
    send: () =>
      new Promise((resolve, reject) => {
        const name = `PostToolUse.${Date.now() * 1000}.${process.pid}.${serial}${count++}`;
        writeFileSync(join(order.spoolFolder, name), `${process.pid}\n${nextPayload()}`, { mode: 0o600 });
        const socket = connect({ port: order.bellPort, host: "127.0.0.1", noDelay: true });
        socket.on("connect", () => socket.write(`${name}\n`));
        socket.on("error", reject);
        socket.on("data", () => {
          socket.destroy();
          resolve();
        });
        socket.on("end", () => reject(new Error("the bell hung up without an answer")));
      }),
    close() {},
  };
}

async function openApiClient(): Promise<Client> {
  const nextPayload = makePayloads();
  const socket = await connectTo(order.apiPort);
  const head =
    `POST /api/hooks/PostToolUse HTTP/1.1\r\nhost: 127.0.0.1:${order.apiPort}\r\n` +
    `authorization: Bearer ${order.token}\r\ncontent-type: application/json\r\nx-claude-pid: ${process.pid}\r\n`;
  let received = "";
  let waiting: { resolve(): void; reject(error: Error): void } | undefined;
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the connection was not kept alive")));
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (received.length < headEnd + 4 + length) return;
    const answer = received;
    received = "";
    if (answer.startsWith("HTTP/1.1 200") && answer.includes('"duplicate":false')) waiting?.resolve();
    else waiting?.reject(new Error(`not stored: ${answer}`));
  });
  return {
    send: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        const body = nextPayload(); // ASCII: characters are bytes
        socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
      }),
    close() {
      waiting = undefined;
      socket.destroy();
    },
  };
}

function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}
