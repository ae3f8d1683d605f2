import type { LoadedConfig } from "./load.ts";
import type { Secrets } from "./secrets.ts";

type WebhookSettings =
  | { state: "off" }
  | { state: "wrong"; detail: string }
  | { state: "on"; url: string; secret: string };

export function readWebhookSettings({ config }: LoadedConfig, secrets: Secrets): WebhookSettings {
  const { url } = config.webhook;
  const { secret } = secrets.webhook;
  if (!url) return { state: "off" };
  if (secret && isWebhookSecret(secret)) return { state: "on", url, secret };
  return {
    state: "wrong",
    detail: `webhook.url is set, but its signing secret is ${secret ? "malformed" : "missing"}. Run \`rookery setup webhook\`.`,
  };
}

/** As Standard Webhooks describes it: 24 to 64 bytes. */
export function isWebhookSecret(secret: string): boolean {
  const [, text = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const { length } = Buffer.from(text, "base64");
  return length >= 24 && length <= 64;
}
