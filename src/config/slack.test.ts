import { describe, expect, test } from "vitest";
import { loadConfig } from "./load.ts";
import { readSlackSettings } from "./slack.ts";

const read = (
  environment: Record<string, string>,
  slack: { botToken?: string; appToken?: string } = {},
): ReturnType<typeof readSlackSettings> =>
  readSlackSettings(
    loadConfig("/nowhere/config.json", environment),
    { model: { keys: {} }, slack, telegram: {}, discord: {}, ntfy: {}, webhook: {}, matrix: {}, hub: {} },
    environment,
  );

const me = { ROOKERY_SLACK_USER_ID: "U1" };

describe("Slack settings", () => {
  test.each([
    ["are off without tokens", {}, {}, { state: "off" }],
    [
      "use stored tokens",
      me,
      { botToken: "xoxb-1", appToken: "xapp-1" },
      { botToken: "xoxb-1", appToken: "xapp-1" },
    ],
    [
      "work with a bot token and a channel",
      { SLACK_BOT_TOKEN: "xoxb-1", SLACK_CHANNEL_ID: "C1" },
      {},
      { state: "on", appToken: undefined },
    ],
    [
      "prefer the environment to stored tokens",
      { ...me, SLACK_BOT_TOKEN: "xoxb-2" },
      { botToken: "xoxb-1" },
      { botToken: "xoxb-2" },
    ],
    [
      "prefer ROOKERY_SLACK_BOT_TOKEN to SLACK_BOT_TOKEN",
      { ...me, SLACK_BOT_TOKEN: "xoxb-2", ROOKERY_SLACK_BOT_TOKEN: "xoxb-3" },
      {},
      { botToken: "xoxb-3" },
    ],
    ["read SLACK_CHANNEL_ID", { SLACK_BOT_TOKEN: "xoxb-1", SLACK_CHANNEL_ID: "C1" }, {}, { channel: "C1" }],
    [
      "prefer ROOKERY_SLACK_CHANNEL_ID to SLACK_CHANNEL_ID",
      { SLACK_BOT_TOKEN: "xoxb-1", SLACK_CHANNEL_ID: "C1", ROOKERY_SLACK_CHANNEL_ID: "C2" },
      {},
      { channel: "C2" },
    ],
    [
      "can point to GovSlack",
      { ...me, SLACK_BOT_TOKEN: "xoxb-1", ROOKERY_SLACK_API_URL: "https://slack-gov.com/api/" },
      {},
      { apiUrl: "https://slack-gov.com/api/" },
    ],
  ])("%s", (_name, environment, stored, expected) => {
    expect(read(environment, stored)).toMatchObject(expected);
  });

  test.each([
    ["no bot token", { SLACK_APP_TOKEN: "xapp-1" }, {}, "SLACK_BOT_TOKEN is missing"],
    [
      "a channel but no token",
      { SLACK_CHANNEL_ID: "C1" },
      {},
      "SLACK_CHANNEL_ID is set, but SLACK_BOT_TOKEN",
    ],
    ["no recipient", { SLACK_BOT_TOKEN: "xoxb-1" }, {}, "SLACK_BOT_TOKEN is set, but there is no recipient"],
    [
      "swapped tokens",
      { SLACK_BOT_TOKEN: "xapp-1" },
      {},
      "SLACK_BOT_TOKEN is malformed: a bot token starts with xoxb-",
    ],
    ["a user's token", {}, { botToken: "xoxp-1" }, "slack.botToken in secrets.json is malformed"],
    [
      "spaces in it",
      { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1 2" },
      {},
      "SLACK_APP_TOKEN is malformed",
    ],
    ["a channel's name", { SLACK_BOT_TOKEN: "xoxb-1", SLACK_CHANNEL_ID: "#general" }, {}, "SLACK_CHANNEL_ID"],
  ])("with %s are rejected without showing the value", (_name, environment, stored, detail) => {
    const settings = read(environment, stored);
    expect(settings).toMatchObject({ state: "wrong", detail: expect.stringContaining(detail) });
    expect(JSON.stringify(settings)).not.toMatch(/xapp-1|xoxp-1|general/);
  });

  test("reject an unencrypted API address", () => {
    expect(() => read({ ROOKERY_SLACK_API_URL: "http://slack.example/api/" })).toThrow("https");
  });
});
