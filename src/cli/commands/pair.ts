import { callEndpoint } from "../../client/request.ts";
import type { AnsweringChannel } from "../../protocol/ask.ts";
import { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { callAsPerson } from "../call-as-person.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readText } from "../read-flag.ts";

const whereToSend: Record<AnsweringChannel, string> = {
  slack: "to the Rookery bot in Slack, in the channel or direct message where it writes to you",
  matrix: "to the Rookery bot in Matrix, as a direct message",
  telegram: "to your bot in Telegram, as a direct message",
  discord: "to your bot in Discord, as a direct message",
  ntfy: "to the answer topic in ntfy, as a message",
  webhook: "through your webhook's receiver, as a message",
};

export const pair: Command = {
  summary: "Pair your chat account, so that you can answer there: shows a code to send to the bot.",
  usage: "slack|matrix|telegram|discord|ntfy|webhook [--name NAME] | --list | --revoke ID",
  examples: [
    "rookery pair slack",
    "rookery pair slack --name Bob",
    "rookery pair --list",
    "rookery pair --revoke 4f2a",
  ],
  options: { list: { type: "boolean" }, name: { type: "string" }, revoke: { type: "string" } },
  optionHelp: {
    list: "list paired people and pending codes",
    name: "the account of another person, who may answer for you",
    revoke: "revoke a pairing (id or suffix)",
  },
  actions: {
    slack: "your account there",
    matrix: "your account on the homeserver",
    telegram: "your account there",
    discord: "your account there",
    ntfy: "everyone who has the topics",
    webhook: "a person as your receiver names them",
  },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    if (typeof flags.revoke === "string") return revoke(context, flags.revoke);
    const [channel] = words;
    if (flags.list || channel === undefined) return list(context);
    const offer = await callAsPerson(context, reachEndpoints.offerPairing, {
      body: { channel, name: readText(flags.name) },
    });
    const minutes = Math.round((offer.expiresAt - Date.now()) / 60_000);
    context.print(
      context.isJson
        ? JSON.stringify(offer)
        : `Send this code ${whereToSend[channel as AnsweringChannel]}, within ${minutes} min:\n\n    ${offer.code.slice(0, 3)} ${offer.code.slice(3)}\n\n` +
            `The account that sends it may answer and approve for you${typeof flags.name === "string" ? `, as ${flags.name}` : ""}. See who: rookery pair --list`,
    );
    return 0;
  },
};

async function revoke(context: CliContext, id: string): Promise<number> {
  if (id === "") throw new AppError("invalid_argument", "Missing ID. Usage: rookery pair --revoke ID");
  const person = await callAsPerson(context, reachEndpoints.revokePairing, { params: { id } });
  context.print(
    context.isJson ? JSON.stringify(person) : `${person.name} on ${person.channel} may no longer answer.`,
  );
  return 0;
}

async function list(context: CliContext): Promise<number> {
  const { people, pending } = await callEndpoint(context.address, reachEndpoints.listPairings);
  if (context.isJson) context.print(JSON.stringify({ people, pending }, null, 2));
  else if (people.length === 0)
    context.print("No account is paired, so no one can answer from a chat. Run: rookery pair slack");
  else {
    const rows = people.map((p) => [
      p.id.slice(-8),
      p.channel,
      p.name,
      p.team ?? "–",
      formatMinute(p.pairedAt),
      p.sender,
    ]);
    context.print(formatTable(["Id", "Channel", "Name", "Team", "Paired", "Account"], rows, context.columns));
  }
  if (!context.isJson)
    for (const { channel, expiresAt } of pending)
      context.print(`A code for ${channel} waits until ${formatMinute(expiresAt)}.`);
  return 0;
}
