import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { AppError } from "../../shared/errors.ts";
import { formatCount } from "../format.ts";
import type { CliContext, Command } from "../command.ts";

export const matrix: Command = {
  summary: "Show the homeserver that agents and people use; invite a person.",
  usage: "[status | invite NAME]",
  examples: ["rookery matrix", "rookery matrix invite ada"],
  actions: {
    status: "its address, connected agents and pending messages",
    invite: "user, password and address for a person's Matrix client",
  },
  words: { min: 0, max: 2 },
  async run(context, { words }) {
    const [act = "status", name] = words;
    if (act === "status" && name === undefined) return status(context);
    if (act === "invite" && name !== undefined) return invite(context, name);
    throw new AppError("invalid_argument", "Usage: rookery matrix [status], or rookery matrix invite NAME");
  },
};

async function status(context: CliContext): Promise<number> {
  const view = await callEndpoint(context.address, mailEndpoints.getMatrix);
  if (context.isJson) {
    context.print(JSON.stringify(view, null, 2));
    return 0;
  }
  const { url, serverName, users, rooms, events, following, queued, failed } = view;
  context.print(`Homeserver ${serverName} (${view.homeserver}) at ${url ?? "no address yet"}`);
  if (users !== null)
    context.print(
      `${formatCount(users, "user")}, ${formatCount(rooms ?? 0, "room")}, ${formatCount(events ?? 0, "event")}`,
    );
  context.print(`${formatCount(queued, "message")} pending, ${failed} failed`);
  if (following.length === 0) context.print("No agent is connected: none has a live session.");
  for (const { agent, trouble } of following) context.print(`  ${agent}: ${trouble || "connected"}`);
  if (view.homeserver === "embedded")
    context.print("\nTo read and write with a Matrix client: rookery matrix invite NAME");
  return 0;
}

async function invite(context: CliContext, name: string): Promise<number> {
  const person = await callOverTcp(context.home, mailEndpoints.inviteToMatrix, { body: { name } });
  if (context.isJson) {
    context.print(JSON.stringify(person, null, 2));
    return 0;
  }
  context.print(
    `${person.isNew ? "Created" : "New password for"} ${person.userId}. In any Matrix client, sign in with`,
  );
  context.print(
    `  homeserver  ${person.url}\n  user        ${person.userId}\n  password    ${person.password}`,
  );
  context.print("The password is shown only once; run the command again for a new one.");
  return 0;
}
