import { randomBytes } from "node:crypto";
import { readSecrets } from "../../../config/secrets.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { applySettings } from "../../apply-settings.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import type { Command } from "../../command.ts";
import { readText, readVariable } from "../../read-flag.ts";
import {
  describePairing,
  offerPairing,
  readConfirmedSetting,
  removeChannel,
  sendTest,
} from "../../setup-channel.ts";

export const setupNtfy: Command = {
  summary: "Receive questions and notifications on your phone with ntfy.",
  usage:
    "[--server URL] [--token-from-env VARIABLE] [--topic NAME] [--answer-topic NAME] [--approvals] [--no-test] [--no-pair] | --remove",
  examples: [
    "rookery setup ntfy",
    "rookery setup ntfy --server https://ntfy.example.org --token-from-env NTFY_TOKEN --approvals",
    "rookery setup ntfy --remove",
  ],
  options: {
    server: { type: "string" },
    "token-from-env": { type: "string" },
    topic: { type: "string" },
    "answer-topic": { type: "string" },
    approvals: { type: "boolean" },
    "no-test": { type: "boolean" },
    "no-pair": { type: "boolean" },
    remove: { type: "boolean" },
  },
  optionHelp: {
    server: "URL of your own ntfy server; default https://ntfy.sh",
    "token-from-env":
      "read the access token from this environment variable and store it in secrets.json (0600)",
    topic: "the topic to publish to; default a new, random name",
    "answer-topic": "the topic for your answers; default a new, random name",
    approvals:
      "also send commands and plans, and allow them to be approved by everyone who can read the topic",
    "no-test": "do not send a test notification",
    "no-pair": "do not create a pairing code",
    remove: "delete the topics, the token and the settings",
  },
  async run(context, { flags }) {
    if (flags.remove)
      return removeChannel(
        context,
        "ntfy",
        ["ntfy.server", "ntfy.approvals"],
        "ntfy is off, and the topics are deleted from this machine. Unsubscribe in the app as well.",
      );
    await startForPerson(context);
    const current = trim(await readConfirmedSetting(context, "ntfy.server"));
    const server = trim(readText(flags.server) ?? current);
    // The topic names and the token of one server must not be sent to another.
    const stored = server === current ? readSecrets(context.home.secrets).ntfy : {};
    const token = readVariable(context, flags["token-from-env"]) ?? stored.token;
    const topics = {
      topic: readText(flags.topic) ?? stored.topic ?? makeTopic(),
      answerTopic: readText(flags["answer-topic"]) ?? stored.answerTopic ?? makeTopic(),
      ...(token ? { token } : {}),
    };
    await callAsPerson(context, channelEndpoints.checkNtfy, {
      body: { server, ...topics },
      timeoutMs: 60_000,
    });
    const settings = {
      "ntfy.server": server === current ? undefined : server,
      "ntfy.approvals": flags.approvals ? true : null,
    };
    await applySettings(context, settings, (secrets) => {
      secrets.ntfy = topics;
    });
    if (!flags["no-test"]) await sendTest(context, "ntfy");
    const pairing = flags["no-pair"] ? null : await offerPairing(context, "ntfy");
    const links = { subscribe: `${server}/${topics.topic}`, answer: `${server}/${topics.answerTopic}` };
    context.print(context.isJson ? JSON.stringify({ ...links, pairing }) : describe(links, pairing));
    return 0;
  },
};

function trim(url: string): string {
  return url.replace(/\/+$/, "");
}

/** 120 random bits: on a public server, the name is the only protection. */
function makeTopic(): string {
  return `rookery-${randomBytes(15).toString("base64url")}`;
}

function describe(
  { subscribe, answer }: Record<"subscribe" | "answer", string>,
  pairing: PairingOffer | null,
): string {
  return [
    `Subscribe to this topic in the ntfy app: ${subscribe}`,
    `Answers go to: ${answer}`,
    "Keep both names secret: everyone who knows them can read your questions and answer them.",
    ...(pairing ? describePairing(pairing, `as a message to ${answer}`) : []),
  ].join("\n");
}
