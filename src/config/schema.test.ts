import { expect, it } from "vitest";
import { listConfigKeys, listPersonOnly } from "./schema.ts";

it("marks exactly the settings that send, run, open, spend or silence something as person-only", () => {
  const marked = listConfigKeys().filter(({ personOnly }) => personOnly);
  expect(marked.map(({ path }) => path)).toEqual([
    "upgrade.automatic",
    ...["provider", "name", "baseUrl", "executable", "dailyTokens", "dailyUsd", "inputUsd", "outputUsd"].map(
      (name) => `model.${name}`,
    ),
    "model.projects",
    ...["provider", "name", "baseUrl", "dimensions", "inputUsd", "projects"].map(
      (name) => `embeddings.${name}`,
    ),
    ...["capture.exclude", "presence.awaySeconds"],
    ...["done", "doneAfterSeconds", "failed", "idle", "needsInput", "news", "quietHours"].map(
      (name) => `notify.${name}`,
    ),
    ...["slack.apiUrl", "slack.userId", "slack.channelId", "telegram.apiUrl", "discord.apiUrl"],
    ...["ntfy.server", "ntfy.approvals", "webhook.url", "desktop.enabled"],
    ...["waitSeconds", "subagentSeconds", "always"].map((name) => `ask.${name}`),
    ...[
      "enabled",
      "homeserver",
      "command",
      "host",
      "publicUrl",
      "serverName",
      "owner",
      "accounts",
      "machine",
      "invitedBy",
    ].map((name) => `matrix.${name}`),
    ...["hops", "perPairAndMinute", "perHour", "registration"].map((name) => `matrix.${name}`),
    "hub.injectMachines",
  ]);
});

it.each([
  ["slack.apiUrl", ["slack.apiUrl"]],
  ["slack", ["slack.apiUrl", "slack.userId", "slack.channelId"]],
  ["capture", ["capture.exclude"]],
  ["presence", ["presence.awaySeconds"]],
  ["context", []],
  ["model.timeoutMs", []],
  ["slack.api", []],
])("%s names the person-only settings %j", (path, keys) => {
  expect(listPersonOnly(path).map((key) => key.path)).toEqual(keys);
});
