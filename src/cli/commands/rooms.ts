import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { formatCount, formatMinute, formatTable } from "../format.ts";
import { readCount } from "../read-flag.ts";

export const rooms: Command = {
  summary: "List the rooms of agents and people; show, create or mute one.",
  usage: "[ROOM] [--limit N] [--create NAME --member WHO…] [--keep-days N|all] [--mute|--unmute]",
  examples: [
    "rookery rooms",
    "rookery rooms orders-api --limit 20",
    "rookery rooms --create design --member api-jay --member @ada:rookery.local",
    "rookery rooms orders-api --keep-days 90",
    "rookery rooms orders-api --mute",
  ],
  options: {
    limit: { type: "string" },
    create: { type: "string" },
    member: { type: "string", multiple: true },
    "keep-days": { type: "string" },
    mute: { type: "boolean" },
    unmute: { type: "boolean" },
  },
  optionHelp: {
    limit: "number of latest messages (30)",
    create: "create a room with this name",
    member: "who to invite: an agent, or @user:server",
    "keep-days": "remove messages older than this; `all` keeps them",
    mute: "do not count its unread messages, here and in the viewer",
    unmute: "count them again",
  },
  completes: { "": "rooms", member: "agents" },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    const [room] = words;
    if (typeof flags.create === "string") return create(context, flags.create, flags.member);
    if (room !== undefined && typeof flags["keep-days"] === "string")
      return keep(context, room, flags["keep-days"]);
    if (room !== undefined && (flags.mute || flags.unmute)) return mute(context, room, flags.mute === true);
    return room === undefined ? list(context) : history(context, room, readCount("--limit", flags.limit, 30));
  },
};

async function list(context: CliContext): Promise<number> {
  const { rooms: all } = await callEndpoint(context.address, mailEndpoints.listRooms);
  if (context.isJson) context.print(JSON.stringify(all, null, 2));
  else if (all.length === 0) context.print("No rooms yet: a project gets one with its first session.");
  else {
    const rows = all.map(({ id, kind, name, detail, lastMessageAt, isMuted, unread }) => [
      kind,
      lastMessageAt === null ? "–" : formatMinute(lastMessageAt),
      isMuted ? "muted" : unread === 0 ? "–" : String(unread),
      detail === null ? name : `${name} (${detail}): ${id}`,
    ]);
    context.print(formatTable(["Kind", "Last message", "New", "Name"], rows, context.columns));
    context.print("\nShow the messages of one: rookery rooms NAME");
  }
  return 0;
}

async function history(context: CliContext, room: string, limit: number): Promise<number> {
  const query = { room, limit };
  const { messages } = await callEndpoint(context.address, mailEndpoints.listMessages, { query });
  if (context.isJson) context.print(JSON.stringify(messages, null, 2));
  else if (messages.length === 0) context.print("No messages yet.");
  else
    for (const { at, from, text, state, error } of messages.toReversed()) {
      const doubt = state === "failed" ? ` [not sent: ${error}]` : state === "queued" ? " [pending]" : "";
      context.print(`${formatMinute(at)}  ${from}: ${text}${doubt}`);
    }
  return 0;
}

async function create(
  context: CliContext,
  name: string,
  members: CommandInput["flags"][string],
): Promise<number> {
  const body = { name, members: Array.isArray(members) ? members : [] };
  const room = await callOverTcp(context.home, mailEndpoints.createRoom, { body });
  context.print(context.isJson ? JSON.stringify(room) : `Created room ${room.name}: ${room.id}`);
  return 0;
}

async function mute(context: CliContext, room: string, isMuted: boolean): Promise<number> {
  const call = { params: { room }, body: { muted: isMuted } };
  const changed = await callOverTcp(context.home, mailEndpoints.changeRoom, call);
  const state = isMuted ? "muted" : "no longer muted";
  context.print(context.isJson ? JSON.stringify(changed) : `${changed.name} is ${state}.`);
  return 0;
}

async function keep(context: CliContext, room: string, days: string): Promise<number> {
  const keepDays = days === "all" ? null : Number(days);
  if (keepDays !== null && !(Number.isInteger(keepDays) && keepDays > 0))
    throw new AppError("invalid_argument", "--keep-days takes a number of days, or `all`.");
  const call = { params: { room }, body: { keepDays } };
  const changed = await callOverTcp(context.home, mailEndpoints.changeRoom, call);
  const retention = keepDays === null ? "keeps everything" : `keeps ${formatCount(keepDays, "day")}`;
  context.print(context.isJson ? JSON.stringify(changed) : `${changed.name} ${retention}.`);
  return 0;
}
