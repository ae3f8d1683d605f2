import { callAsPerson } from "../../client/call-as-person.ts";
import { callDaemon } from "../../client/request.ts";
import type { MessageView, RoomView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readCount } from "../read-flag.ts";

export const rooms: Command = {
  summary: "The rooms in which agents and people talk; what was said in one; a new one.",
  usage: "[ROOM] [--limit N] [--create NAME --member WHO…] [--keep-days N|all]",
  examples: [
    "rookery rooms",
    "rookery rooms orders-api --limit 20",
    "rookery rooms --create design --member api-jay --member @ada:rookery.local",
    "rookery rooms orders-api --keep-days 90",
  ],
  options: {
    limit: { type: "string" },
    create: { type: "string" },
    member: { type: "string", multiple: true },
    "keep-days": { type: "string" },
  },
  optionHelp: {
    limit: "how many messages, the newest (30)",
    create: "make a room of this name",
    member: "who is asked into it: an agent, or @user:server",
    "keep-days": "remove messages older than this; `all` keeps them",
  },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    const [room] = words;
    if (typeof flags.create === "string") return create(context, flags.create, flags.member);
    if (room !== undefined && typeof flags["keep-days"] === "string")
      return keep(context, room, flags["keep-days"]);
    return room === undefined ? list(context) : history(context, room, readCount("--limit", flags.limit, 30));
  },
};

async function list(context: CliContext): Promise<number> {
  const { rooms: all } = await callDaemon<{ rooms: RoomView[] }>(context.address, { path: "/api/rooms" });
  if (context.isJson) context.print(JSON.stringify(all, null, 2));
  else if (all.length === 0) context.print("No rooms yet: a project gets one with its first session.");
  else {
    const rows = all.map(({ kind, name, lastMessageAt }) => [
      kind,
      lastMessageAt === null ? "–" : formatMinute(lastMessageAt),
      name,
    ]);
    context.print(formatTable(["Kind", "Last message", "Name"], rows, context.columns));
    context.print("\nWhat was said in one: rookery rooms NAME");
  }
  return 0;
}

async function history(context: CliContext, room: string, limit: number): Promise<number> {
  const query = new URLSearchParams({ room, limit: String(limit) });
  const { messages } = await callDaemon<{ messages: MessageView[] }>(context.address, {
    path: `/api/messages?${query}`,
  });
  if (context.isJson) context.print(JSON.stringify(messages, null, 2));
  else if (messages.length === 0) context.print("Nothing was said there yet.");
  else
    for (const { at, from, text, state, error } of messages.toReversed()) {
      const doubt = state === "failed" ? ` [not sent: ${error}]` : state === "queued" ? " [on its way]" : "";
      context.print(`${formatMinute(at)}  ${from}: ${text}${doubt}`);
    }
  return 0;
}

async function create(context: CliContext, name: string, members: unknown): Promise<number> {
  const body = { name, members: Array.isArray(members) ? members : [] };
  const room = await callAsPerson<RoomView>(context.home, { method: "POST", path: "/api/rooms", body });
  context.print(context.isJson ? JSON.stringify(room) : `Room ${room.name} is there: ${room.id}`);
  return 0;
}

async function keep(context: CliContext, room: string, days: string): Promise<number> {
  const keepDays = days === "all" ? null : Number(days);
  if (keepDays !== null && !(Number.isInteger(keepDays) && keepDays > 0))
    throw new AppError("invalid_argument", "--keep-days takes a number of days, or `all`.");
  const path = `/api/rooms/${encodeURIComponent(room)}`;
  const changed = await callAsPerson<RoomView>(context.home, { method: "PATCH", path, body: { keepDays } });
  const told = keepDays === null ? "keeps everything" : `keeps ${keepDays} days`;
  context.print(context.isJson ? JSON.stringify(changed) : `${changed.name} ${told}.`);
  return 0;
}
