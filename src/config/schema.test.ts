import { expect, it } from "vitest";
import { listConfigKeys, listPersonOnly } from "./schema.ts";

it("marks exactly the settings that send, run, open or spend something as person-only", () => {
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
    ...["capture.exclude", "slack.apiUrl", "slack.userId", "slack.channelId", "telegram.apiUrl"],
    ...["ntfy.server", "ntfy.approvals", "webhook.url"],
    ...["homeserver", "command", "host", "publicUrl", "serverName", "owner", "machine", "invitedBy"].map(
      (name) => `matrix.${name}`,
    ),
    "matrix.registration",
    "hub.injectMachines",
  ]);
});

it.each([
  ["slack.apiUrl", ["slack.apiUrl"]],
  ["slack", ["slack.apiUrl", "slack.userId", "slack.channelId"]],
  ["capture", ["capture.exclude"]],
  ["notify", []],
  ["model.timeoutMs", []],
  ["slack.api", []],
])("%s names the person-only settings %j", (path, keys) => {
  expect(listPersonOnly(path).map((key) => key.path)).toEqual(keys);
});
