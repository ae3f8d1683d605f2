import { readFileSync } from "node:fs";
import { callEndpoint } from "../../client/request.ts";
import { hubEndpoints } from "../../protocol/endpoints/hub.ts";
import type { HubStatus } from "../../protocol/hub.ts";
import { AppError } from "../../shared/errors.ts";
import { callAsPerson } from "../call-as-person.ts";
import type { CliContext, Command } from "../command.ts";
import { formatCount, formatMinute, formatTable } from "../format.ts";
import { readCount, readText } from "../read-flag.ts";

const longMs = 30 * 60_000;

/** Prints the answer as JSON, or a sentence about it. */
function report<T>(context: CliContext, answer: T, say: (answer: T) => string): number {
  context.print(context.isJson ? JSON.stringify(answer, null, 2) : say(answer));
  return 0;
}

const create: Command = {
  summary: "Create a hub in an empty PostgreSQL database, as its owner.",
  usage: "URL [--ca FILE]",
  examples: ["rookery hub create postgres://admin@db.example.org/rookery"],
  options: { ca: { type: "string" } },
  optionHelp: { ca: "PEM file of the certificate authority, if the system does not trust it" },
  words: { min: 1, max: 1 },
  async run(context, { words, flags }) {
    const file = readText(flags.ca);
    const body = {
      url: await completeUrl(context, words[0] ?? ""),
      ...(file === undefined ? {} : { ca: readFileSync(file, "utf8") }),
    };
    const created = await callAsPerson(context, hubEndpoints.createHub, { body, timeoutMs: longMs });
    return report(
      context,
      created,
      ({ host }) => `The hub is ready on ${host}. Next: rookery hub invite NAME, for your own machine too.`,
    );
  },
};

/** A password may be asked for, so that it is in no history. */
async function completeUrl({ ask, environment }: CliContext, url: string): Promise<string> {
  if (!URL.canParse(url) || new URL(url).password !== "") return url;
  const password =
    environment["PGPASSWORD"] ?? (await ask?.("Password of the database's owner: ", { isHidden: true }));
  if (!password)
    throw new AppError("invalid_argument", "Set PGPASSWORD to the password of the database's owner.");
  const complete = new URL(url);
  complete.password = encodeURIComponent(password);
  return complete.href;
}

const invite: Command = {
  summary: "Invite one machine of a member: prints a line that works once, within a day.",
  usage: "NAME [--machine] [--read-only] [--admin] [--project NAME…] [--expires DAYS]",
  examples: [
    "rookery hub invite ada",
    "rookery hub invite ci --machine --read-only --expires 30 --project api",
  ],
  options: {
    machine: { type: "boolean" },
    "read-only": { type: "boolean" },
    admin: { type: "boolean" },
    project: { type: "string", multiple: true },
    expires: { type: "string" },
  },
  optionHelp: {
    machine: "an account without a person, such as CI: its notes are found, but not given to sessions",
    "read-only": "may read notes, but not share any",
    admin: "may also forget the notes of others",
    project: "only this project of the hub; may be repeated",
    expires: "days until the access ends",
  },
  words: { min: 1, max: 1 },
  async run(context, { words, flags }) {
    const body = {
      name: words[0] ?? "",
      machine: flags.machine === true,
      readOnly: flags["read-only"] === true,
      admin: flags.admin === true,
      projects: Array.isArray(flags.project) ? flags.project : [],
      ...(flags.expires === undefined
        ? {}
        : { expiresInDays: readCount("--expires", readText(flags.expires)?.replace(/d$/, ""), 1) }),
    };
    const made = await callAsPerson(context, hubEndpoints.inviteToHub, { body, timeoutMs: 60_000 });
    return report(
      context,
      made,
      ({ code, name, expiresAt }) =>
        `For ${name}, once, until ${formatMinute(expiresAt)}. It contains a password, so send it privately:\n\nrookery hub join ${code}`,
    );
  },
};

const members: Command = {
  summary: "List all machines of the hub.",
  usage: "",
  examples: ["rookery hub members"],
  async run(context) {
    const view = await callAsPerson(context, hubEndpoints.listHubMembers, { timeoutMs: 60_000 });
    return report(context, view, (all) =>
      formatTable(
        ["Member", "Machine", "State", "Last seen", "Notes"],
        all.members.map(({ name, device, state, seenAt, notes }) => [
          name,
          device ?? "–",
          state,
          seenAt === null ? "–" : formatMinute(seenAt),
          String(notes),
        ]),
        context.columns,
      ),
    );
  },
};

const revoke: Command = {
  summary: "End the access of a machine, or of all machines of a member, at once.",
  usage: "NAME",
  examples: ["rookery hub revoke ada", "rookery hub revoke ada@laptop"],
  words: { min: 1, max: 1 },
  async run(context, { words }) {
    const call = { body: { name: words[0] ?? "" }, timeoutMs: 60_000 };
    const answer = await callAsPerson(context, hubEndpoints.revokeFromHub, call);
    return report(context, answer, ({ machines }) => `${formatCount(machines, "machine")} revoked.`);
  },
};

const scrub: Command = {
  summary: "Erase the bytes of forgotten notes from the database's files. Blocks the hub meanwhile.",
  usage: "",
  examples: ["rookery hub scrub"],
  async run(context) {
    const answer = await callAsPerson(context, hubEndpoints.scrubHub, { timeoutMs: longMs });
    return report(context, answer, ({ log }) =>
      log
        ? "The bytes of forgotten notes are gone from the table and the log. Backups keep theirs."
        : "The bytes of forgotten notes are gone from the table. Its owner may not switch the write-ahead log: run `SELECT pg_switch_wal(); CHECKPOINT` as a superuser. Backups keep theirs.",
    );
  },
};

const upgrade: Command = {
  summary: "Bring the hub's schema up to date.",
  usage: "[--restored]",
  examples: ["rookery hub upgrade", "rookery hub upgrade --restored"],
  options: { restored: { type: "boolean" } },
  optionHelp: { restored: "the database comes from a backup: every machine compares everything" },
  async run(context, { flags }) {
    const call = { body: { restored: flags.restored === true }, timeoutMs: longMs };
    const answer = await callAsPerson(context, hubEndpoints.upgradeHub, call);
    return report(context, answer, ({ version }) => `The hub has schema ${version}.`);
  },
};

const join: Command = {
  summary: "Join a hub with the line from its administrator. Shares nothing yet.",
  usage: "CODE [--name MACHINE] [--shallow N]",
  examples: ["rookery hub join rk1.eyJob3N0IjoiZGIuZXhhbXBsZS5vcmcifQ --name laptop"],
  options: { name: { type: "string" }, shallow: { type: "string" } },
  optionHelp: {
    name: "the name of this machine; default: its host name",
    shallow: "only the newest notes of each project, for short-lived machines",
  },
  words: { min: 1, max: 1 },
  async run(context, { words, flags }) {
    const device = readText(flags.name);
    const body = {
      code: words[0] ?? "",
      ...(device === undefined ? {} : { device }),
      ...(flags.shallow === undefined ? {} : { shallow: readCount("--shallow", flags.shallow, 1) }),
    };
    const status = await callAsPerson(context, hubEndpoints.joinHub, { body, timeoutMs: 60_000 });
    return report(
      context,
      status,
      ({ host, member, device: name }) =>
        `Joined ${host} as ${member} (${name}). Nothing is shared yet. Next, in a project: rookery share`,
    );
  },
};

const leave: Command = {
  summary: "Leave the hub: removes the notes of others from this machine; yours stay on the hub.",
  usage: "",
  examples: ["rookery hub leave"],
  async run(context) {
    const answer = await callAsPerson(context, hubEndpoints.leaveHub, { timeoutMs: longMs });
    return report(
      context,
      answer,
      ({ dropped }) =>
        `You left the hub. ${formatCount(dropped, "note")} of others removed from this machine.`,
    );
  },
};

const resync: Command = {
  summary: "Compare every shared note with the hub, now.",
  usage: "",
  examples: ["rookery hub resync"],
  async run(context) {
    const status = await callEndpoint(context.address, hubEndpoints.resyncHub, { timeoutMs: longMs });
    return report(context, status, formatStatus);
  },
};

const status: Command = {
  summary: "Show the hub of this machine, what is shared and how far behind it is.",
  usage: "",
  examples: ["rookery hub status"],
  async run(context) {
    return report(context, await callEndpoint(context.address, hubEndpoints.getHub), formatStatus);
  },
};

export const hub: Command = {
  summary: "Share notes with other machines through a PostgreSQL database.",
  usage: "status|join|leave|resync | create|invite|members|revoke|scrub|upgrade [options]",
  examples: ["rookery hub status", "rookery hub create postgres://admin@db.example.org/rookery"],
  subcommands: { status, join, leave, resync, create, invite, members, revoke, scrub, upgrade },
  async run() {
    throw new AppError(
      "invalid_argument",
      "Usage: rookery hub status, join, leave, resync, create, invite, members, revoke, scrub or upgrade",
    );
  },
};

function formatStatus({ state, host, member, device, projects, contactAt, error }: HubStatus): string {
  if (state === "none") return "No hub. Join one: rookery hub join CODE (docs/team.md).";
  const contact = contactAt === null ? "no contact yet" : `last contact ${formatMinute(contactAt)}`;
  const lines = [`${host} · ${member} (${device}) · ${state === "revoked" ? "revoked by the hub" : contact}`];
  if (error !== null) lines.push(`Not reached: ${error} Everything works locally; Rookery keeps trying.`);
  if (projects.length === 0) lines.push("No project is shared. Share one: cd PROJECT && rookery share");
  for (const { name, sent, received, waiting, behind, machines, setAside } of projects) {
    const on = machines > 0 ? ` · ${formatCount(machines, "machine")}` : "";
    lines.push(`${name}: sent ${sent}, waiting ${waiting}, from others ${received}, behind ${behind}${on}`);
    for (const { id, reason } of setAside) lines.push(`  set aside: ${id.slice(-8)} (${reason})`);
  }
  return lines.join("\n");
}
