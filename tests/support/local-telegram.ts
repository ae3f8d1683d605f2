import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { waitFor } from "./processes.ts";

const folder = fileURLToPath(new URL("../tools/node_modules/telegram-test-api/", import.meta.url));

export const hasLocalTelegram = existsSync(folder);
export const localTelegramMissing = "telegram-test-api is not installed here (by `npm test`)";

export const botToken = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
export const ada = { id: 1001, first_name: "Ada", username: "ada", is_bot: false };
export const bob = { id: 1002, first_name: "Bob", username: "bob", is_bot: false };
type User = typeof ada;

/** A message of the bot, as stored by the emulator. */
export interface BotMessage {
  id: number;
  chat: string;
  text: string;
  entities: { type: string; offset: number; length: number }[];
  keyboard: { text: string; callback_data: string }[];
  /** The message that it replies to. */
  replyTo: number | undefined;
  isRequest: boolean;
  parseMode: string | undefined;
}

/** Active faults; they stay until changed. */
interface TelegramFaults {
  isDown: boolean;
  limitedSeconds: number;
  token: string;
  /** Another program reads the updates of this bot. */
  isConflicting: boolean;
  /** Chats whose person has blocked the bot. */
  blocked: string[];
  /** Presses are too old to be answered. */
  arePressesOld: boolean;
}

/**
 * `telegram-test-api`, a third-party emulator, behind a proxy that adds what it lacks: confirming updates by offset, long
 * polling, files, limits, errors, and a record of answered presses.
 */
export interface LocalTelegram {
  apiUrl: string;
  faults: TelegramFaults;
  messages(): BotMessage[];
  /** The contents of the files sent to a chat before this message and after the previous one. */
  filesBefore(id: number, chat: string): string[];
  /** The texts that answered presses. */
  alerts: string[];
  /** How many presses were answered, with or without a text. */
  answered(): number;
  calls(method: string): number;
  press(message: BotMessage, label: string, user?: User): Promise<void>;
  say(text: string, options?: { to?: number; user?: User; chat?: object }): Promise<void>;
  /** Redelivers an update that Telegram delivered before. */
  redeliver(update: unknown): void;
  /** The latest act of a person. */
  latest(): unknown;
  /** Updates that the bot has not confirmed. */
  pending(): number;
  close(): Promise<void>;
}

export async function openLocalTelegram(): Promise<LocalTelegram> {
  const TelegramServer = createRequire(import.meta.url)(folder);
  const emulator = new TelegramServer();
  const backend = createServer(emulator.webServer as RequestListener);
  const backendUrl = await listen(backend);
  const faults: TelegramFaults = {
    isDown: false,
    limitedSeconds: 0,
    token: botToken,
    isConflicting: false,
    blocked: [],
    arePressesOld: false,
  };
  const alerts: string[] = [];
  const counts = new Map<string, number>();
  const files: { id: number; chat: string; text: string }[] = [];
  let queue: { update_id: number; isAgain?: boolean }[] = [];
  let answered = 0;

  async function forward(method: string, body: object): Promise<any> {
    const response = await fetch(`${backendUrl}/bot${botToken}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  }

  async function act(path: string, body: object): Promise<void> {
    const response = await fetch(`${backendUrl}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ botToken, date: Math.floor(Date.now() / 1000), ...body }),
    });
    if (!response.ok) throw new Error(`telegram-test-api ${path}: ${await response.text()}`);
  }

  /** An update is kept until a call asks for a later one. */
  async function getUpdates(body: any, isGone: () => boolean): Promise<object> {
    const until = performance.now() + Number(body.timeout ?? 0) * 1000;
    const offset = Number(body.offset ?? 0);
    for (;;) {
      const { result: fresh } = await forward("getUpdates", {});
      queue = [...queue.filter(({ update_id, isAgain }) => isAgain || update_id >= offset), ...fresh];
      if (queue.length > 0 || isGone() || performance.now() >= until) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const result = queue.slice(0, body.limit ?? 100);
    for (const update of result) update.isAgain = false;
    return { ok: true, result: result };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (faults.isDown) return void request.socket.destroy();
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const body = await readBody(request);
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const send = (status: number, answer: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    };
    const refuse = (code: number, description: string, parameters?: object): void =>
      send(code, { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) });
    if (faults.limitedSeconds > 0)
      return refuse(429, "Too Many Requests", { retry_after: faults.limitedSeconds });
    if (token !== faults.token) return refuse(401, "Unauthorized");
    if (method === "getUpdates") {
      if (faults.isConflicting) return refuse(409, "Conflict: terminated by other getUpdates request");
      return send(200, await getUpdates(body, () => response.destroyed || faults.isDown));
    }
    if (faults.blocked.includes(String(body.chat_id)))
      return refuse(403, "Forbidden: bot was blocked by the user");
    if (method === "sendDocument") {
      const sent = await forward("sendMessage", { chat_id: body.chat_id, text: "file", isFile: true });
      files.push({ id: sent.result.message_id, chat: String(body.chat_id), text: body.document });
      return send(200, sent);
    }
    if (method === "answerCallbackQuery") {
      if (faults.arePressesOld) return refuse(400, "Bad Request: query is too old");
      answered += 1;
      if (body.text) alerts.push(body.text);
    }
    const offence = findOffence(method, body);
    if (offence) return refuse(400, `Bad Request: ${offence}`);
    send(200, await forward(method, body));
  }

  /** Telegram's documented limits. */
  function findOffence(method: string, { text, entities, reply_markup, chat_id, message_id }: any): string {
    if (method !== "sendMessage" && method !== "editMessageText") return "";
    if (!text) return "message text is empty";
    if (text.length > 4096) return "message is too long";
    if (
      entities?.some(({ offset, length }: any) => offset < 0 || length < 1 || offset + length > text.length)
    )
      return "wrong entity";
    const buttons = (reply_markup?.inline_keyboard ?? []).flat();
    if (buttons.length > 100) return "reply markup is too long";
    if (buttons.some(({ callback_data }: any) => Buffer.byteLength(callback_data) > 64))
      return "BUTTON_DATA_INVALID";
    const current = messages().find(({ id, chat }) => id === message_id && chat === String(chat_id));
    if (method === "editMessageText" && current?.text === text && current?.keyboard.length === buttons.length)
      return "message is not modified";
    return "";
  }

  function messages(): BotMessage[] {
    return emulator.storage.botMessages.flatMap(({ messageId, message }: any) =>
      message.isFile
        ? []
        : [
            {
              id: messageId,
              chat: String(message.chat_id),
              text: message.text,
              entities: message.entities ?? [],
              keyboard: (message.reply_markup?.inline_keyboard ?? []).flat(),
              replyTo: message.reply_parameters?.message_id,
              isRequest: message.reply_markup?.force_reply === true,
              parseMode: message.parse_mode,
            },
          ],
    );
  }

  const proxy = createServer((request, response) => {
    // A poll that waits while the emulator closes.
    handle(request, response).catch(() => response.destroy());
  });
  const apiUrl = await listen(proxy);
  return {
    apiUrl,
    faults,
    messages,
    alerts,
    answered: () => answered,
    calls: (method) => counts.get(method) ?? 0,
    filesBefore(id, chat) {
      const previous = messages().findLast((each) => each.id < id && each.chat === chat)?.id ?? 0;
      return files
        .filter((file) => file.chat === chat && file.id < id && file.id > previous)
        .map((file) => file.text);
    },
    async press(message, label, user = ada) {
      const button = message.keyboard.find(({ text }) => text === label);
      if (!button)
        throw new Error(`no button ${label}, only ${message.keyboard.map(({ text }) => text).join(", ")}`);
      const chat = { id: Number(message.chat), type: "private" };
      const reply_markup = { inline_keyboard: message.keyboard.map((each) => [each]) };
      const shown = { message_id: message.id, chat, text: message.text, reply_markup };
      await act("sendCallback", { from: user, message: shown, data: button.callback_data });
    },
    async say(text, { to, user = ada, chat = { id: user.id, type: "private" } } = {}) {
      const replied = messages().find(({ id }) => id === to);
      const from = { id: 123456, is_bot: true, first_name: "Rookery" };
      const reply = replied
        ? { reply_to_message: { message_id: to, chat, date: 0, from, text: replied.text } }
        : {};
      await act("sendMessage", { from: user, chat, text, ...reply });
    },
    redeliver: (update) => void queue.push({ ...(update as { update_id: number }), isAgain: true }),
    latest: () => structuredClone(TelegramServer.formatUpdate(emulator.storage.userMessages.at(-1))),
    pending: () => queue.length + emulator.storage.userMessages.filter(({ isRead }: any) => !isRead).length,
    async close() {
      for (const server of [proxy, backend]) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return JSON.parse(Buffer.concat(chunks).toString() || "{}");
  const form = await new Response(Buffer.concat(chunks), { headers: { "content-type": type } }).formData();
  const fields: Record<string, string> = {};
  for (const [name, value] of form) fields[name] = typeof value === "string" ? value : await value.text();
  return fields;
}

/** Waits for a message of the bot. */
export function findMessage(
  telegram: LocalTelegram,
  isIt: (message: BotMessage) => boolean,
): Promise<BotMessage> {
  return waitFor(() => telegram.messages().find(isIt), {
    describe: () => `a message; there are ${JSON.stringify(telegram.messages().map(({ text }) => text))}`,
  });
}
