import * as z from "zod";

/** The scopes of the Slack app and their reasons. `rookery setup slack` checks them, and docs/slack.md lists them. */
export const slackScopes = {
  "chat:write": "post cards and notifications, and update cards with their outcome",
  "im:write": "open the direct message with you",
  "im:history": "read your messages to the bot and your replies to its cards",
  "channels:history": "read replies to cards in a public channel",
  "groups:history": "read replies to cards in a private channel",
  "channels:read": "check whether a public channel is shared with another organisation, and refuse it",
  "groups:read": "the same for a private channel",
  "users:read": "check who answers: name, team, guest or bot",
  "files:write": "upload long commands, diffs and plans",
  "reactions:write": "mark an accepted reply",
} as const;

/** Manifest of the Slack app. Every user creates their own, so that no third party is involved. */
export const slackManifest = {
  display_information: {
    name: "Rookery",
    description: "Questions, approvals and notifications from your coding agents.",
    background_color: "#1f2a37",
  },
  features: {
    app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: "rookery", always_online: false },
  },
  oauth_config: { scopes: { bot: Object.keys(slackScopes) } },
  settings: {
    event_subscriptions: { bot_events: ["message.im", "message.channels", "message.groups"] },
    interactivity: { is_enabled: true },
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
};

/** Opens Slack's own page with the manifest filled in. */
export function makeManifestLink(apiUrl: string): string {
  const site = new URL(apiUrl).hostname.endsWith("slack-gov.com") ? "api.slack-gov.com" : "api.slack.com";
  return `https://${site}/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(slackManifest))}`;
}

/** Stores and sends nothing. */
export const slackCheckRequest = z.strictObject({
  botToken: z.string().min(1).max(500),
  appToken: z.string().min(1).max(500).optional(),
  apiUrl: z.url(),
  user: z.string().max(200).optional().describe("an id, a name, or an address"),
  channel: z.string().max(200).optional(),
});
export type SlackCheckRequest = z.infer<typeof slackCheckRequest>;

const named = z.object({ id: z.string(), name: z.string() });

export const slackCheck = z.object({
  team: named,
  bot: named,
  /** Whether Slack pushes presses and replies (Socket Mode) or replies are polled. */
  mode: z.enum(["socket", "polling"]),
  user: named.nullable(),
  channel: named.nullable(),
});
export type SlackCheck = z.infer<typeof slackCheck>;
