import { randomBytes } from "node:crypto";
import { readDaemonFile } from "../../../client/discover.ts";
import { isWebhookSecret } from "../../../config/webhook.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import type { Command } from "../../command.ts";
import { readText, readVariable } from "../../read-flag.ts";
import { describePairing, offerPairing, removeChannel, sendTest } from "../../setup-channel.ts";

export const setupWebhook: Command = {
  summary: "Send questions and notifications to a program of your own, as signed requests.",
  usage: "--url URL [--secret-from-env VARIABLE] [--no-test] [--no-pair] | --remove",
  examples: [
    "rookery setup webhook --url http://127.0.0.1:9999/",
    "rookery setup webhook --url https://example.org/rookery --secret-from-env WEBHOOK_SECRET",
    "rookery setup webhook --remove",
  ],
  options: {
    url: { type: "string" },
    "secret-from-env": { type: "string" },
    "no-test": { type: "boolean" },
    "no-pair": { type: "boolean" },
    remove: { type: "boolean" },
  },
  optionHelp: {
    url: "address of your receiver",
    "secret-from-env":
      "store the signing secret (whsec_…) in this variable in secrets.json (0600); default a new one",
    "no-test": "do not send a test notification",
    "no-pair": "do not create a pairing code",
    remove: "delete the address and the secret",
  },
  async run(context, { flags }) {
    if (flags.remove)
      return removeChannel(
        context,
        "webhook",
        ["webhook.url"],
        "The webhook is off, and its secret is deleted from this machine.",
      );
    const url = readText(flags.url);
    if (!url) throw new AppError("invalid_argument", "Missing --url. Usage: rookery setup webhook --url URL");
    const secret =
      readVariable(context, flags["secret-from-env"]) ?? `whsec_${randomBytes(32).toString("base64")}`;
    if (!isWebhookSecret(secret))
      throw new AppError("invalid_argument", "A signing secret is whsec_ and 24 to 64 bytes as base64.");
    await applySettings(context, { "webhook.url": url }, (secrets) => {
      secrets.webhook = { secret };
    });
    if (!flags["no-test"]) await sendTest(context, "webhook");
    const pairing = flags["no-pair"] ? null : await offerPairing(context, "webhook");
    const answerUrl = `http://127.0.0.1:${readDaemonFile(context.home.daemonFile)?.port}${channelEndpoints.receiveWebhook.path}`;
    const isNew = !flags["secret-from-env"];
    const result = { url, answerUrl, ...(isNew ? { secret } : {}), pairing };
    context.print(context.isJson ? JSON.stringify(result) : describe(result));
    return 0;
  },
};

function describe(result: {
  url: string;
  answerUrl: string;
  secret?: string;
  pairing: PairingOffer | null;
}): string {
  const { url, answerUrl, secret, pairing } = result;
  return [
    `Questions and notifications go to ${url}.`,
    `Your receiver posts answers to ${answerUrl}`,
    ...(secret ? [`Signing secret, shown only now: ${secret}`] : []),
    ...(pairing ? describePairing(pairing, "as a message through your receiver") : []),
  ].join("\n");
}
