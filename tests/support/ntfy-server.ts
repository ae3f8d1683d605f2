import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message in ntfy's JSON format. */
interface StoredMessage {
  id: string;
  sequence_id?: string;
  time: number;
  event: "message";
  topic: string;
  message: string;
  [field: string]: unknown;
}

interface NtfyStandIn {
  url: string;
  close(): Promise<void>;
}

/**
 * A small server with the parts of ntfy's documented API that we use: publishing as JSON and as text, attachments, JSON
 * streams, polling, `since`, access tokens and the size limit. The long tests use the real server where it is installed.
 */
export async function openNtfyStandIn({ token = "", hasAttachments = true } = {}): Promise<NtfyStandIn> {
  const stored: StoredMessage[] = [];
  const readers = new Set<{ topic: string; response: ServerResponse }>();
  const files = new Map<string, string>();
  let url = "";

  function publish(topic: string, fields: Record<string, unknown>): StoredMessage {
    const id = randomBytes(9).toString("base64url");
    const stamp = { id, time: Math.floor(Date.now() / 1000), event: "message" as const, topic };
    const message = { sequence_id: id, message: "triggered", ...fields, ...stamp } as StoredMessage;
    stored.push(message);
    for (const reader of readers)
      if (reader.topic === topic) reader.response.write(`${JSON.stringify(message)}\n`);
    return message;
  }

  function read(topic: string, query: URLSearchParams, response: ServerResponse): void {
    const since = query.get("since") ?? (query.has("poll") ? "all" : "");
    const own = stored.filter((each) => each.topic === topic);
    const at = own.findIndex(({ id }) => id === since);
    const seconds = /^\d{10}$/.test(since) ? Number(since) : Number.POSITIVE_INFINITY;
    // An id that is no longer cached gives everything.
    const isId = since !== "all" && !/^\d+[smh]?$/.test(since) && since !== "";
    const found = since === "all" || isId ? own.slice(at + 1) : own.filter(({ time }) => time >= seconds);
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    const open = {
      id: randomBytes(6).toString("hex"),
      time: Math.floor(Date.now() / 1000),
      event: "open",
      topic,
    };
    if (!query.has("poll")) response.write(`${JSON.stringify(open)}\n`);
    for (const each of found) response.write(`${JSON.stringify(each)}\n`);
    if (query.has("poll")) return void response.end();
    const reader = { topic, response };
    readers.add(reader);
    response.on("close", () => readers.delete(reader));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [, topic = "", last = ""] = pathname.split("/");
    if (topic === "file") return void response.end(files.get(last));
    // As with `ntfy access everyone ANSWERS write-only`: a phone needs no token to answer.
    const isOpen = request.method === "POST" && topic !== "" && request.headers.filename === undefined;
    if (token && !isOpen && request.headers.authorization !== `Bearer ${token}`)
      return send(403, { code: 40301, http: 403, error: "forbidden" });
    if (request.method === "GET") return read(topic, searchParams, response);
    const name = request.headers.filename;
    if (name !== undefined) {
      if (!hasAttachments) return send(400, { code: 40014, http: 400, error: "attachments not allowed" });
      const key = randomBytes(6).toString("hex");
      files.set(key, body);
      const sequence_id = request.headers["x-sequence-id"];
      return send(200, publish(topic, { sequence_id, attachment: { name, url: `${url}/file/${key}` } }));
    }
    const { topic: into, ...fields } = topic === "" ? JSON.parse(body) : { topic, message: body };
    if (Buffer.byteLength(fields.message) > 4096)
      return send(413, { code: 41301, http: 413, error: "too large" });
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(into) || (fields.actions?.length ?? 0) > 3)
      return send(400, { code: 40018, http: 400, error: "invalid request" });
    send(200, publish(into, fields));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
