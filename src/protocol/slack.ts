import * as z from "zod";

/** What the app may do, and why. Held by the check in `rookery setup slack` and by the docs. */
export const slackScopes = {
  "chat:write": "post cards and news, and edit them when they are settled",
  "im:write": "open the direct message with you",
  "im:history": "read your replies to the bot and under its cards",
  "channels:history": "read replies under cards in a public channel",
  "groups:history": "read replies under cards in a private channel",
  "channels:read": "see whether a public channel is shared with another organisation, and refuse it",
  "groups:read": "the same for a private channel",
  "users:read": "see who answers: name, team, guest or bot",
  "files:write": "send long commands, diffs and plans as files",
  "reactions:write": "mark a reply that was taken",
} as const;

/** The app as Slack makes it from a manifest: one per user, so that nobody else's limits or eyes are on it. */
export const slackManifest = {
  display_information: {
    name: "Rookery",
    description: "Coding agents reach you: questions, approvals, news.",
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
