import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { waitFor } from "./processes.ts";
import { repository } from "./rookery.ts";

const emulatorFile = join(repository, "tests/tools-long/node_modules/discord-digital-twin/dist/index.js");

export const hasLocalDiscord = existsSync(emulatorFile);
export const localDiscordMissing = "discord-digital-twin is not installed here (by `npm test -- --long`)";

/** Of the shape of a token; it was never one. */
export const botToken = ["A".repeat(24), "B".repeat(6), "C".repeat(30)].join(".");
export const ada = { id: "100000000000000001", username: "ada" };
export const bob = { id: "100000000000000002", username: "bob" };
type User = typeof ada;

/** A message of the bot, as stored by the emulator. */
export interface BotMessage {
  id: string;
  chat: string;
  content: string;
  flags: number;
  buttons: { label: string; custom_id: string; style: number }[];
  replyTo: string | undefined;
}

/** Active faults; they stay until changed. */
interface DiscordFaults {
  isDown: boolean;
  limitedSeconds: number;
  token: string;
  /** People whom the bot cannot write to. */
  blocked: string[];
}

/**
 * `discord-digital-twin`, a third-party emulator of Discord's API and gateway, behind a proxy that adds what it lacks: direct
 * chats, files, unique nonces, documented limits and errors.
 */
export interface LocalDiscord {
  apiUrl: string;
  faults: DiscordFaults;
  /** The cards and notices; no ephemeral messages, replies or files. */
  messages(): Promise<BotMessage[]>;
  /** Messages that only one person can see, and replies. */
  told(): Promise<string[]>;
  filesBefore(message: BotMessage): string[];
  /** Presses a button. With a text, writes it in the dialog that opens. */
  press(message: BotMessage, label: string, options?: { user?: User; text?: string }): Promise<void>;
  say(text: string, options?: { to?: string; user?: User; guild?: string }): Promise<void>;
  /** Sends the latest act of a person again. */
  redeliver(event: unknown): void;
  latest(): unknown;
  /** The bodies of the calls that matched. */
  calls: { method: string; path: string; body: any }[];
  /** Ends the connections to the gateway, as Discord does for its own restarts. */
  dropConnections(): void;
  connections(): number;
  close(): Promise<void>;
}

export async function openLocalDiscord(): Promise<LocalDiscord> {
  const { DigitalDiscord } = await import(pathToFileURL(emulatorFile).href);
  const users = [ada, bob];
  const emulator = new DigitalDiscord({
    botToken,
    users,
    channels: users.map(({ id, username }) => ({ id: chatOf(id), name: username, type: 1 })),
    // Each emulator has a database of its own.
    dbUrl: "file::memory:",
  });
  await emulator.start();
  // Direct chats belong to no server.
  for (const { id } of users)
    await emulator.prisma.channel.update({ where: { id: chatOf(id) }, data: { guildId: null } });
  const { gateway } = emulator.server;
  const broadcast = gateway.broadcast.bind(gateway);
  let latest: { event: string; data: any } | undefined;
  let actor: User | undefined;
  let guild: string | undefined;
  gateway.broadcast = (event: string, data: any) => {
    if (actor) {
      // In a direct chat an event names the user, and no server.
      data = {
        ...data,
        guild_id: guild,
        member: undefined,
        ...(event === "INTERACTION_CREATE" ? { user: actor } : {}),
      };
      latest = { event, data };
    }
    broadcast(event, data);
  };
  async function act<T>(user: User, perform: () => Promise<T>): Promise<T> {
    actor = user;
    try {
      return await perform();
    } finally {
      actor = guild = undefined;
    }
  }

  const faults: DiscordFaults = { isDown: false, limitedSeconds: 0, token: botToken, blocked: [] };
  const calls: LocalDiscord["calls"] = [];
  const files: { id: string; chat: string; text: string }[] = [];
  const sentByNonce = new Map<string, unknown>();
  const ephemeral: string[] = [];
  const forms: string[] = [];

  async function forward(
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ status: number; json: any }> {
    const answer = await fetch(`${emulator.restUrl}/v10${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? undefined : JSON.parse(text) };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (faults.isDown) return void request.socket.destroy();
    const { method = "GET", url = "" } = request;
    const { body, file } = await readBody(request);
    const path = url.replace(/^\/api\/v10/, "");
    calls.push({ method, path, body });
    const send = (status: number, json: unknown): void => {
      if (json === undefined) return void response.writeHead(status).end();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    };
    const refuse = (status: number, code: number, message: string): void => send(status, { code, message });
    if (faults.limitedSeconds > 0)
      return send(429, { message: "You are being rate limited.", retry_after: faults.limitedSeconds });
    if (request.headers.authorization !== `Bot ${faults.token}`) return refuse(401, 0, "401: Unauthorized");
    if (path === "/users/@me/channels") return send(200, { id: chatOf(body.recipient_id), type: 1 });
    const offence = findOffence(path, body, file !== undefined);
    if (offence) return refuse(400, 50035, offence);
    if (method !== "POST" || !/^\/channels\/\d+\/messages$/.test(path)) {
      const isCallback = path.endsWith("/callback");
      if (isCallback && body.type === 9) forms.push(body.data.custom_id);
      const { status, json } = await forward(method, path, body);
      if (isCallback && status < 300 && body.data?.flags & 64) ephemeral.push(body.data.content);
      return send(status, json);
    }
    const chat = path.split("/")[2] ?? "";
    if (faults.blocked.some((id) => chatOf(id) === chat))
      return refuse(403, 50007, "Cannot send messages to this user");
    const known = sentByNonce.get(body.nonce);
    if (body.enforce_nonce && known) return send(200, known);
    const { status, json } = await forward(method, path, body);
    if (file !== undefined) files.push({ id: json.id, chat, text: file });
    if (body.nonce) sentByNonce.set(body.nonce, json);
    send(status, json);
  }

  async function listAll(): Promise<BotMessage[]> {
    const found: BotMessage[] = [];
    for (const { id } of users)
      for (const message of await emulator.channel(chatOf(id)).getMessages())
        if (message.author.id === emulator.botUserId)
          found.push({
            id: message.id,
            chat: message.channel_id,
            content: message.content,
            flags: message.flags ?? 0,
            buttons: (message.components ?? []).flatMap(({ components }: any) => components),
            replyTo: message.message_reference?.message_id,
          });
    return found.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  }

  const proxy = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    apiUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/v10`,
    faults,
    calls,
    messages: async () =>
      (await listAll()).filter(
        ({ id, flags, replyTo }) => !(flags & 64) && !replyTo && !files.some((file) => file.id === id),
      ),
    told: async () => [
      ...ephemeral.map(unescape),
      ...(await listAll()).filter(({ replyTo }) => replyTo).map(({ content }) => unescape(content)),
    ],
    filesBefore: ({ id, chat }) =>
      files.filter((file) => file.chat === chat && BigInt(file.id) < BigInt(id)).map(({ text }) => text),
    async press({ id, chat, buttons }, label, { user = ada, text } = {}) {
      const button = buttons.find((each) => each.label === label);
      if (!button)
        throw new Error(`no button ${label}, only ${buttons.map((each) => each.label).join(", ")}`);
      const opened = forms.length;
      const press = {
        channelId: chat,
        userId: user.id,
        messageId: id,
        customId: button.custom_id,
        guildId: "",
      };
      await act(user, () => emulator.simulateButtonClick(press));
      if (text === undefined) return;
      const customId = await waitFor(() => forms[opened]);
      const fields = [{ customId: "text", value: text }];
      const form = { channelId: chat, userId: user.id, customId, fields, guildId: "" };
      await act(user, () => emulator.simulateModalSubmit(form));
    },
    async say(content, { to, user = ada, guild: inGuild } = {}) {
      const messageReference = to === undefined ? undefined : { message_id: to, channel_id: chatOf(user.id) };
      guild = inGuild;
      await act(user, () =>
        emulator.simulateUserMessage({
          channelId: chatOf(user.id),
          userId: user.id,
          content,
          messageReference,
        }),
      );
    },
    redeliver(event) {
      const { event: name, data } = event as NonNullable<typeof latest>;
      broadcast(name, data);
    },
    latest: () => structuredClone(latest),
    dropConnections() {
      for (const { ws } of gateway.clients) ws.terminate();
    },
    connections: () => gateway.clients.filter(({ identified }: any) => identified).length,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      for (const { ws } of gateway.clients) ws.terminate();
      emulator.server.httpServer.closeAllConnections();
      await emulator.stop();
      await emulator.prisma.$disconnect();
    },
  };
}

/** The emulator knows channels of servers only; each person has one that the proxy names as their direct chat. */
const chatOf = (user: string): string => user.replace(/^1/, "2");

/** Discord's documented limits. */
function findOffence(path: string, body: any, hasFile: boolean): string {
  if (!/^\/channels\/\d+\/messages(?:\/\d+)?$/.test(path) || body === undefined) return "";
  if (!body.content && !hasFile) return "Cannot send an empty message";
  if ((body.content ?? "").length > 2_000) return "content: Must be 2000 or fewer in length.";
  if (String(body.nonce ?? "").length > 25) return "nonce: Must be 25 or fewer in length.";
  const rows = body.components ?? [];
  if (rows.length > 5) return "components: Must be 5 or fewer in length.";
  if (rows.some(({ components }: any) => components.length < 1 || components.length > 5))
    return "components: Must be between 1 and 5 in length.";
  const buttons = rows.flatMap(({ components }: any) => components);
  const ids = buttons.map(({ custom_id }: any) => custom_id);
  if (new Set(ids).size < ids.length) return "Component custom id cannot be duplicated";
  if (buttons.some(({ label, custom_id }: any) => !label || label.length > 80 || custom_id.length > 100))
    return "label: Must be between 1 and 80 in length.";
  return "";
}

/** The text as Discord's clients show it: a backslash before punctuation disappears. */
export function unescape(content: string): string {
  return content
    .split(/(```\n[^]*?\n```)/)
    .map((part, index) => (index % 2 ? part.slice(4, -4) : part.replaceAll(/\\([^\da-z\s])/gi, "$1")))
    .join("");
}

/** Markup, mentions and links that Discord's clients would interpret. */
export function findLive({ content, flags }: BotMessage): string[] {
  const text = content.replaceAll(/```\n(?:(?!```)[^])*\n```/g, "").replaceAll(/\\[^\da-z\s]/gi, "");
  const live = text.match(/[*_~`|<>@#[\]\\]|:\/\/|^\s*[-+] /gm) ?? [];
  return flags & 4 ? live : [...live, "embeds"];
}

async function readBody(request: IncomingMessage): Promise<{ body: any; file: string | undefined }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/"))
    return { body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined, file: undefined };
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const file = form.get("files[0]");
  const payload = form.get("payload_json");
  return {
    body: JSON.parse(typeof payload === "string" ? payload : "{}"),
    file: file instanceof Blob ? await file.text() : undefined,
  };
}

/** Waits for a message of the bot. */
export function findMessage(
  discord: LocalDiscord,
  isIt: (message: BotMessage) => boolean,
): Promise<BotMessage> {
  return waitFor(async () => (await discord.messages()).find(isIt), { describe: () => "a message" });
}
