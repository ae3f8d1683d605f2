import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Channel, Inbox, Reply } from "../../src/channels/channel.ts";
import { hasLocalSlack, type LocalSlack, openLocalSlack, tokens, workspace } from "../support/local-slack.ts";
import { waitFor } from "../support/processes.ts";
import { openSlackHarness, ready, type SlackHarness, textOf } from "../support/slack-harness.ts";
import { makeCard, makePermission } from "./channel-contract.ts";

const secret = "hunter2-in-the-command";
const long = `${Array.from({ length: 500 }, (_, n) => `echo line-${n}`).join("\n")}\n${secret}`;

describe.skipIf(!hasLocalSlack)("Slack failures", () => {
  let slack: LocalSlack;
  let harness: SlackHarness;
  let channel: Channel;
  let received: Reply[];
  const inbox: Inbox = {
    async receive(reply) {
      if (received.some(({ id }) => id === reply.id)) return { result: "duplicate", message: null };
      received.push(reply);
      return { result: "accepted", message: null };
    },
  };

  beforeAll(async () => {
    slack = await openLocalSlack();
  });
  afterAll(() => slack.close());

  async function open(options: Parameters<typeof openSlackHarness>[1] = {}): Promise<void> {
    received = [];
    harness = await openSlackHarness(slack, options);
    channel = harness.channel;
    channel.start(inbox);
  }
  afterEach(() => harness.close());

  const texts = (): string[] =>
    received.flatMap(({ content }) => (content.type === "text" ? [content.text] : []));
  const state = (wanted: string): Promise<unknown> =>
    waitFor(() => channel.health().state === wanted, {
      describe: () => `${wanted}, not ${JSON.stringify(channel.health())}`,
    });
  const posted = async (): Promise<string[]> => (await harness.messages()).map(({ text }) => text);

  describe("posting", () => {
    beforeEach(async () => {
      await open();
      await ready(channel);
    });

    test.each([
      ["429", { limitedSeconds: 7 }, { retry: "later", afterMs: 7_000 }],
      ["500", { status: 500 }, { retry: "later" }],
      ["404", { status: 404 }, { retry: "never", message: expect.stringContaining("slack.apiUrl") }],
      ["outage", { isDown: true }, { retry: "later" }],
      [
        "revoked token",
        { bot: "xoxb-new" },
        { retry: "never", message: expect.stringMatching(/invalid_auth.*rookery setup slack/) },
      ],
      [
        "missing scope",
        { scopes: ["im:write"] },
        { retry: "never", message: expect.stringContaining("im:history") },
      ],
    ])("%s is classified and recovered from", async (_name, fault, error) => {
      const well = { ...harness.proxy.faults };
      Object.assign(harness.proxy.faults, fault);
      await expect(channel.post(makeCard(), "key-1")).rejects.toMatchObject(error);
      expect(channel.health().state).toBe(error.retry === "later" ? "failing" : "misconfigured");
      Object.assign(harness.proxy.faults, well);
      await channel.post(makeCard(), "key-1");
      await state("ready");
      expect(await posted()).toHaveLength(1);
    });

    test("errors contain no token", async () => {
      harness.proxy.faults.bot = "xoxb-new";
      const error = await channel.post(makeCard(), "key-1").catch((thrown: Error) => thrown);
      const cause = JSON.stringify(error, Object.getOwnPropertyNames(error));
      expect(`${cause}${JSON.stringify(channel.health())}`).not.toContain(tokens.bot);
    });

    test("a lost response does not cause a second message", async () => {
      harness.proxy.faults.loseAnswerOf = "chat.postMessage";
      await expect(channel.post(makeCard(), "key-1")).rejects.toMatchObject({ retry: "later" });
      const place = await channel.post(makeCard(), "key-1");
      expect(await posted()).toHaveLength(1);
      expect((await harness.find(place)).ts).toBe(place.split(":")[1]);
    });

    test("a daemon killed after posting does not post again", async () => {
      await channel.post(makeCard(), "key-1");
      await channel.stop();
      channel = harness.reopen();
      await channel.post(makeCard(), "key-1");
      expect(await posted()).toHaveLength(1);
    });

    test("a long command can be allowed only after all of it is posted", async () => {
      const place = await channel.post(makePermission(long), "key-1");
      const [message] = await harness.messages();
      expect(message).toMatchObject({ files: [long], canAct: true });
      expect(message?.text).toContain("characters in total");
      // In this order: the card without buttons, the file, the buttons.
      const [first] = await slack.calls("chat.postMessage");
      expect(JSON.stringify(first.blocks)).not.toContain("allow:once");
      const [update] = await slack.calls("chat.update");
      expect(JSON.stringify(update.blocks)).toContain("allow:once");
      await channel.settle(place, makePermission(long), { state: "answered", text: "Denied." });
      expect(await harness.messages()).toMatchObject([{ canAct: false }]);
    });

    test("a rejected file leaves a card that cannot be allowed and gives the reason", async () => {
      harness.proxy.faults.scopes = harness.proxy.faults.scopes.filter((scope) => scope !== "files:write");
      await channel.post(makePermission(long), "key-1");
      const [message] = await harness.messages();
      expect(message?.canAct).toBe(false);
      expect(message?.text).toContain("files:write");
    });

    test("a failed upload is retried on the same card", async () => {
      harness.proxy.faults.loseAnswerOf = "files.completeUploadExternal";
      await expect(channel.post(makePermission(long), "key-1")).rejects.toMatchObject({ retry: "later" });
      expect((await harness.messages()).map(({ canAct }) => canAct)).toEqual([false]);
      await channel.post(makePermission(long), "key-1");
      expect((await harness.messages()).map(({ canAct }) => canAct)).toEqual([true]);
    });

    test("invisible characters are written out on the card and in its file", async () => {
      await channel.post(makePermission(`echo \u202e${"x".repeat(3_000)}\u200b`), "key-1");
      const [message] = await harness.messages();
      expect(message?.text).toContain("echo \\u{202e}xxx");
      expect(message?.files[0]).toMatch(/^echo \\u\{202e\}x+\\u\{200b\}$/);
    });

    test("the push preview contains no input", async () => {
      await channel.post(makePermission(`echo ${secret}`), "key-1");
      const [stored] = await harness.stored();
      expect(stored?.text).not.toContain(secret);
      expect(textOf(stored!)).toContain(secret);
      const [call] = await slack.calls("chat.postMessage");
      expect(call).toMatchObject({ unfurl_links: "false", unfurl_media: "false", mrkdwn: "false" });
    });

    test("a deleted card is not settled", async () => {
      const place = await channel.post(makeCard(), "key-1");
      await slack.reset();
      await channel.settle(place, makeCard(), { state: "expired", text: "Too late." });
    });
  });

  describe("the socket", () => {
    beforeEach(async () => {
      await open();
      await ready(channel);
    });

    test.each(["asked", "cut"] as const)(
      "after a disconnect (%s), reconnects once and delivers missed replies",
      async (how) => {
        const place = await channel.post(makeCard(), "key-1");
        channel.watch([{ place, card: makeCard(), postedAt: Date.now() }]);
        harness.proxy.faults.isDown = true;
        harness.proxy.disconnect(how);
        await waitFor(() => harness.proxy.sockets() === 0);
        await waitFor(() => channel.health().state !== "ready");
        await harness.person.say(place, "said in the gap", "act-1");
        harness.proxy.faults.isDown = false;
        await waitFor(() => texts().includes("said in the gap"));
        await state("ready");
        expect(harness.proxy.sockets()).toBe(1);
        await harness.person.say(place, "said after it", "act-2");
        await waitFor(() => texts().includes("said after it"));
      },
    );

    test("many cards are caught up in small batches", async () => {
      const cards = Array.from({ length: 25 }, (_, n) => makeCard({ ticket: `ticket-${n}` }));
      const open = await Promise.all(
        cards.map(async (card, n) => ({ place: await channel.post(card, `key-${n}`), card, postedAt: 0 })),
      );
      await channel.stop();
      await harness.person.say(open[24]!.place, "to the last", "act-1");
      channel = harness.reopen();
      channel.start(inbox);
      channel.watch(open);
      await waitFor(() => texts().includes("to the last"));
      const asked = harness.proxy.count("conversations.replies");
      await channel.settle(open[0]!.place, open[0]!.card, { state: "expired", text: "" });
      // Each was checked once, and not again.
      expect(harness.proxy.count("conversations.replies")).toBe(asked);
    });

    test("leaves no connection open after the channel is stopped", async () => {
      const place = await channel.post(makeCard(), "key-1");
      channel.watch([{ place, card: makeCard(), postedAt: Date.now() }]);
      await channel.stop();
      await waitFor(() => harness.proxy.sockets() === 0);
      await expect(channel.post(makeCard(), "key-2")).rejects.toMatchObject({ retry: "later" });
    });
  });

  test("stopping during the start leaves no connection", async () => {
    harness = await openSlackHarness(slack);
    harness.proxy.faults.latencyMs = 300;
    channel = harness.channel;
    channel.start(inbox);
    await waitFor(() => harness.proxy.count("apps.connections.open") > 0);
    const before = performance.now();
    await channel.stop();
    await waitFor(() => performance.now() - before > 600);
    expect(harness.proxy.sockets()).toBe(0);
  });

  test("a rejected app-level token is named in the status", async () => {
    received = [];
    harness = await openSlackHarness(slack);
    harness.proxy.faults.app = "xapp-new";
    channel = harness.channel;
    channel.start(inbox);
    await state("misconfigured");
    expect(channel.health().detail).toMatch(/app-level token.*invalid_auth/);
  });

  test("a rejected bot token is reported before any question", async () => {
    harness = await openSlackHarness(slack);
    harness.proxy.faults.bot = "xoxb-new";
    channel = harness.channel;
    channel.start(inbox);
    await state("misconfigured");
    expect(channel.health().detail).toContain("rookery setup slack");
    harness.proxy.faults.bot = tokens.bot;
    await state("ready");
  });

  test("a missing recipient is reported", async () => {
    await open({ user: "" });
    await expect(channel.post(makeCard(), "key-1")).rejects.toMatchObject({
      retry: "never",
      message: expect.stringContaining("--user"),
    });
  });

  describe("without an app-level token", () => {
    beforeEach(async () => {
      await open({ appToken: undefined });
      await ready(channel);
    });

    test("cards have no buttons and replies are polled", async () => {
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      channel.watch([{ place, card, postedAt: Date.now() }]);
      expect(await harness.messages()).toMatchObject([
        { canAct: false, text: expect.stringContaining("Reply in this message’s thread") },
      ]);
      await harness.person.say(place, "SQLite", "act-1");
      await waitFor(() => texts().includes("SQLite"));
      await harness.person.say(place, "and more", "act-2");
      await waitFor(() => texts().includes("and more"));
      expect(harness.proxy.sockets()).toBe(0);
    });

    test("a permission card says where it can be allowed", async () => {
      await channel.post(makePermission("mkdir x"), "key-1");
      expect(await posted()).toMatchObject([expect.stringContaining("app-level token")]);
    });

    test("Slack is polled only while a card is open and within its rate limit", async () => {
      const asked = (): number => harness.proxy.count("conversations.replies");
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      expect(asked()).toBe(0);
      channel.watch([{ place, card, postedAt: Date.now() }]);
      await waitFor(() => asked() >= 3);
      harness.proxy.faults.limitedSeconds = 1;
      const before = asked();
      await waitFor(() => asked() > before);
      const limitedAt = performance.now();
      const limited = asked();
      harness.proxy.faults.limitedSeconds = 0;
      await waitFor(() => asked() > limited);
      expect(performance.now() - limitedAt).toBeGreaterThan(900);
      channel.watch([]);
      await channel.settle(place, card, { state: "answered", text: "You answered." });
      const last = asked();
      // The duration of several rounds.
      await waitFor(() => performance.now() - limitedAt > 2_000);
      expect(asked()).toBeLessThanOrEqual(last + 1);
    });

    test("a pairing code in a direct message is found while pairing", async () => {
      await channel.post(makeCard(), "key-1");
      channel.expectCode?.(Date.now() + 60_000);
      await harness.person.say(null, "ABC DEF", "act-1");
      await waitFor(() => texts().includes("ABC DEF"));
      expect(received[0]).toMatchObject({
        target: null,
        sender: { id: workspace.owner, team: workspace.team },
      });
    });

    test("a deleted thread does not block the others", async () => {
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      const gone = `${place.split(":")[0]}:1000000000.000001`;
      channel.watch([
        { place: gone, card: makeCard({ ticket: "gone" }), postedAt: 0 },
        { place, card, postedAt: Date.now() },
      ]);
      await harness.person.say(place, "SQLite", "act-1");
      await waitFor(() => texts().includes("SQLite"));
    });
  });
});
