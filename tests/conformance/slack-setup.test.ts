import { readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { slackManifest, slackScopes } from "../../src/protocol/slack.ts";
import { hasLocalSlack, type LocalSlack, openLocalSlack, tokens, workspace } from "../support/local-slack.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Ran, Rookery } from "../support/rookery.ts";
import { textOf } from "../support/slack-harness.ts";
import { allScopes, openSlackProxy, type SlackProxy } from "../support/slack-proxy.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

describe.skipIf(!hasLocalSlack)("rookery setup slack", () => {
  let slack: LocalSlack;
  let proxy: SlackProxy;
  const rookeries = useRookeries();
  const person = useOutside();

  beforeAll(async () => {
    slack = await openLocalSlack();
  });
  afterAll(() => slack.close());
  beforeEach(async () => {
    await slack.reset();
    proxy = await openSlackProxy(slack.url);
  });
  afterEach(() => proxy.close());

  const open = (env: Record<string, string> = {}): Rookery =>
    rookeries.open({
      ROOKERY_SLACK_API_URL: proxy.apiUrl,
      ROOKERY_DESKTOP_ENABLED: "off",
      ROOKERY_MATRIX_OWNER: "olga",
      ...env,
    });
  const setup = (rookery: Rookery, args: string[], input: string): Promise<Ran> =>
    person.run([...launcher, "setup", "slack", "--stdin", "--json", ...args], rookery.env, input);
  const both = `${tokens.bot}\n${tokens.app}\n`;
  const slackState = async (rookery: Rookery): Promise<any> => {
    const { channels } = JSON.parse((await rookery.cli("status", "--json")).stdout);
    return channels.find((channel: any) => channel.name === "slack");
  };

  test("sets up Slack from scratch and pairs a person", async () => {
    const rookery = open();
    const ran = await setup(rookery, ["--user", "ada"], both);
    expect(ran.stderr).toBe("");
    const done = JSON.parse(ran.stdout);
    expect(done).toMatchObject({
      team: { id: workspace.team, name: "Test" },
      user: { id: workspace.owner, name: "Ada Lovelace" },
      mode: "socket",
      isTested: true,
      pairing: { channel: "slack", code: expect.stringMatching(/^[A-Z0-9]{6}$/) },
    });
    const channel = await slack.direct();
    expect((await slack.messages(channel)).map(textOf)).toEqual([
      expect.stringContaining("Rookery can reach you here"),
    ]);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(rookery.home.secrets, "utf8")).slack).toEqual({
      botToken: tokens.bot,
      appToken: tokens.app,
    });
    await waitFor(async () => (await slackState(rookery)).state === "ready");

    await slack.say({ channel, text: done.pairing.code.toLowerCase() });
    const people = await waitFor(async () => {
      const { people: found } = JSON.parse((await rookery.cli("pair", "--list", "--json")).stdout);
      return found.length > 0 && found;
    });
    expect(people).toMatchObject([{ sender: workspace.owner, team: workspace.team, name: "olga" }]);

    for (const file of [rookery.home.log, rookery.home.config])
      for (const token of [tokens.bot, tokens.app]) expect(readFileSync(file, "utf8")).not.toContain(token);

    expect((await person.run([...launcher, "setup", "slack", "--remove"], rookery.env)).code).toBe(0);
    expect(readFileSync(rookery.home.secrets, "utf8")).not.toContain("xox");
    expect(await slackState(rookery)).toBeUndefined();
  });

  test("pairs without an app-level token too", async () => {
    const rookery = open();
    const ran = await setup(rookery, ["--user", workspace.owner], `${tokens.bot}\n`);
    const done = JSON.parse(ran.stdout);
    expect(done).toMatchObject({ mode: "polling" });
    await slack.say({ channel: await slack.direct(), text: done.pairing.code });
    await waitFor(
      async () => JSON.parse((await rookery.cli("pair", "--list", "--json")).stdout).people.length === 1,
    );
  });

  test.each([
    ["polling", {}],
    ["over the socket", { SLACK_APP_TOKEN: tokens.app }],
  ])("pairs in the channel, with a bot token and a channel only, %s", async (_name, env) => {
    const rookery = open({ SLACK_BOT_TOKEN: tokens.bot, SLACK_CHANNEL_ID: workspace.channel, ...env });
    await rookery.start();
    await waitFor(async () => (await slackState(rookery)).state === "ready");
    const { code } = JSON.parse(
      (await person.run([...launcher, "pair", "slack", "--json"], rookery.env)).stdout,
    );
    await slack.say({ channel: workspace.channel, user: workspace.other, text: "thanks" });
    await slack.say({ channel: workspace.channel, text: code });
    const people = await waitFor(async () => {
      const { people: found } = JSON.parse((await rookery.cli("pair", "--list", "--json")).stdout);
      return found.length > 0 && found;
    });
    expect(people).toMatchObject([{ sender: workspace.owner, team: workspace.team }]);
    expect(rookery.query("SELECT 1 FROM audit WHERE result = 'refused'")).toEqual([]);
  });

  describe("refuses", () => {
    // Nothing is stored, so one home serves all rows.
    const lasting = useRookeries(afterAll);
    let steady: SlackProxy;
    let rookery: Rookery;
    beforeAll(async () => {
      steady = await openSlackProxy(slack.url);
      rookery = await lasting.started({
        ROOKERY_SLACK_API_URL: steady.apiUrl,
        ROOKERY_DESKTOP_ENABLED: "off",
      });
    });
    afterAll(() => steady.close());

    test.each([
      ["no tokens", [], "", /SLACK_BOT_TOKEN.*manifest_json/, {}],
      ["a malformed bot token", ["--user", "ada"], "xoxp-1\n", /bot token is malformed.*xoxb-/, {}],
      [
        "a malformed app token",
        ["--user", "ada"],
        "xoxb-1\nxoxb-2\n",
        /app-level token is malformed.*xapp-/,
        {},
      ],
      ["an unknown bot token", ["--user", "ada"], "xoxb-1\n", /bot token \(invalid_auth\)/, {}],
      ["an unknown app token", ["--user", "ada"], `${tokens.bot}\nxapp-1\n`, /app-level token/, {}],
      ["no user", [], both, /--user NAME/, {}],
      ["an unknown user", ["--user", "grace"], both, /No Slack user is called grace/, {}],
      ["an address", ["--user", "ada@example.com"], both, /users:read\.email/, {}],
      ["a guest", ["--user", workspace.owner], both, /is a guest/, { guests: [workspace.owner] }],
      ["a shared channel", ["--channel", workspace.channel], both, /shared/, { shared: [workspace.channel] }],
      ["an unknown channel", ["--channel", "C0NONE"], both, /channel_not_found/, {}],
      [
        "missing scopes",
        ["--user", "ada"],
        both,
        /lacks the scopes files:write, reactions:write/,
        { scopes: allScopes.filter((scope) => !/^(files|reactions)/.test(scope)) },
      ],
      ["an outage", ["--user", "ada"], both, /Cannot reach Slack/, { isDown: true }],
    ] as const)(
      "%s, with an error that names it, and stores nothing",
      async (_name, args, input, message, faults) => {
        const well = { ...steady.faults };
        Object.assign(steady.faults, faults);
        const ran = await setup(rookery, [...args], input);
        Object.assign(steady.faults, well);
        expect(ran.code).not.toBe(0);
        const { error } = JSON.parse(ran.stdout);
        expect(error.message).toMatch(message);
        for (const line of input.split("\n")) if (line) expect(ran.stdout).not.toContain(line);
        expect(() => statSync(rookery.home.secrets)).toThrow();
      },
    );
  });

  test("works from the environment alone and names invalid values", async () => {
    const env = {
      SLACK_BOT_TOKEN: tokens.bot,
      SLACK_APP_TOKEN: tokens.app,
      SLACK_CHANNEL_ID: workspace.channel,
    };
    const good = open(env);
    await good.start();
    await waitFor(async () => (await slackState(good)).state === "ready");
    expect((await good.call("POST", "/api/channels/slack/test")).status).toBe(200);
    expect((await slack.messages(workspace.channel)).map(textOf)).toEqual([
      expect.stringContaining("Rookery can reach you here"),
    ]);

    const rows: [Record<string, string>, string][] = [
      [{ SLACK_APP_TOKEN: tokens.app }, "SLACK_BOT_TOKEN is missing"],
      [{ SLACK_CHANNEL_ID: workspace.channel }, "SLACK_CHANNEL_ID is set, but SLACK_BOT_TOKEN is missing"],
      [{ SLACK_BOT_TOKEN: tokens.bot }, "no recipient"],
      [{ SLACK_BOT_TOKEN: "nonsense" }, "SLACK_BOT_TOKEN is malformed"],
      [{ SLACK_BOT_TOKEN: tokens.bot, SLACK_APP_TOKEN: "xoxb-1" }, "SLACK_APP_TOKEN is malformed"],
      [{ SLACK_BOT_TOKEN: tokens.bot, SLACK_CHANNEL_ID: "#general" }, "SLACK_CHANNEL_ID must be"],
    ];
    for (const [wrong, detail] of rows) {
      const rookery = open(wrong);
      await rookery.start();
      expect(await slackState(rookery)).toMatchObject({
        state: "misconfigured",
        detail: expect.stringContaining(detail),
      });
      await rookery.stop();
    }
  });

  test("a broken secrets file disables Slack, not the daemon", async () => {
    const rookery = await rookeries.started({ ROOKERY_DESKTOP_ENABLED: "off" });
    await rookery.stop();
    writeFileSync(rookery.home.secrets, "{", { mode: 0o600 });
    await rookery.start();
    expect(await slackState(rookery)).toMatchObject({ state: "misconfigured" });
  });
});

test("the manifest requests exactly the scopes that the code uses", async () => {
  const { scopes } = slackManifest.oauth_config;
  expect(scopes.bot).toEqual(Object.keys(slackScopes));
  expect(scopes.bot.toSorted()).toEqual(allScopes.toSorted());
});
