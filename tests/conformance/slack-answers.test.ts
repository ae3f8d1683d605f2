import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Inbox, Receipt, Reply } from "../../src/channels/channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import type { Prompt } from "../../src/domain/ask/question.ts";
import { isLong } from "../support/long.ts";
import { hasLocalSlack, type LocalSlack, openLocalSlack, workspace } from "../support/local-slack.ts";
import { waitFor } from "../support/processes.ts";
import { openSlackHarness, pressable, ready, type SlackHarness, textOf } from "../support/slack-harness.ts";
import { makeCard, makePermission } from "./channel-contract.ts";

const prompt = (text: string, labels: string[], isMulti = false): Prompt => ({
  text,
  header: null,
  options: labels.map((label) => ({ label, description: null })),
  isMulti,
});
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `option ${n}`);

describe.skipIf(!hasLocalSlack)("answers from Slack", () => {
  let slack: LocalSlack;
  let harness: SlackHarness;
  /** All received actions, and each action once, as the daemon's inbox would accept them. */
  let brought: Reply[];
  let received: Reply[];
  let receipt: Receipt;
  /** If set, acts are held until it resolves. */
  let commit: Promise<void>;
  const inbox: Inbox = {
    async receive(reply) {
      brought.push(reply);
      if (received.some(({ id }) => id === reply.id)) return { result: "duplicate", message: null };
      received.push(reply);
      await commit;
      return receipt;
    },
  };

  beforeAll(async () => {
    slack = await openLocalSlack();
  });
  afterAll(() => slack.close());

  async function open(options: Parameters<typeof openSlackHarness>[1] = {}): Promise<void> {
    harness = await openSlackHarness(slack, options);
    harness.channel.start(inbox);
    await ready(harness.channel);
  }
  beforeEach(async () => {
    brought = [];
    received = [];
    receipt = { result: "accepted", message: null };
    commit = Promise.resolve();
    await open();
  });
  afterEach(() => harness.close());

  async function post(card: Card): Promise<string> {
    const place = await harness.channel.post(card, `key-${card.ticket}`);
    harness.channel.watch([{ place, card, postedAt: Date.now() }]);
    return place;
  }
  async function press(place: string, label: string): Promise<void> {
    const message = await harness.find(place);
    await slack.act({ channel: message.channel, ts: message.ts, action: pressable(message, label) });
  }
  const arrived = (): Promise<Reply> => waitFor(() => received[0], { describe: "a reply" });

  test.each([
    ["a select of 60", [prompt("Which?", many(60))], [["option 42"]]],
    ["boxes", [prompt("Which?", ["a", "b", "c"], true)], [["a", "c"]]],
    ["no box at all", [prompt("Which?", ["a", "b", "c"], true)], [[]]],
    ["a select for several of 30", [prompt("Which?", many(30), true)], [["option 3", "option 29"]]],
    [
      "three questions at once",
      [prompt("One?", ["x", "y"]), prompt("Two?", ["x", "y"], true), prompt("Three?", many(12))],
      [["y"], ["x", "y"], ["option 11"]],
    ],
  ])("%s", async (_name, prompts, answers) => {
    const card = makeCard({ prompts });
    const place = await post(card);
    await harness.person.press(place, card, { type: "answers", answers }, "act-1");
    expect(await arrived()).toMatchObject({
      target: { ticket: card.ticket },
      content: { type: "answers", answers },
    });
    expect(received).toHaveLength(1);
  });

  test("an incomplete form is not sent and lists the open questions", async () => {
    const card = makeCard({ prompts: [prompt("One?", ["x", "y"]), prompt("Two?", ["x", "y"])] });
    await press(await post(card), "Send");
    await waitFor(async () => (await harness.person.told()).some((text) => text.includes("“One?”")));
    expect(received).toEqual([]);
  });

  test("a free-text answer is entered in a modal", async () => {
    const card = makeCard();
    const place = await post(card);
    await press(place, "Other …");
    await slack.submit({ "choose:0": "neither: a < b & *c*" });
    expect(await arrived()).toMatchObject({
      target: { ticket: card.ticket },
      content: { type: "answers", answers: [["neither: a < b & *c*"]] },
    });
    await waitFor(() => slack.modal() === undefined, { describe: "the modal to close" });
  });

  test("a free-text answer and a choice are sent together", async () => {
    const card = makeCard({ prompts: [prompt("One?", ["x", "y"]), prompt("Two?", ["x", "y"])] });
    const place = await post(card);
    const message = await harness.find(place);
    const chooser = message.blocks?.find((block) => block.block_id === "choose:0");
    const { type, action_id, options } = chooser.elements[0];
    const action = { type, action_id, block_id: "choose:0", selected_option: options[1] };
    await slack.act({ channel: message.channel, ts: message.ts, action });
    await press(place, "Write an answer …");
    await slack.submit({ "choose:1": "something else" });
    expect((await arrived()).content).toEqual({ type: "answers", answers: [["y"], ["something else"]] });
  });

  test("a modal submitted too late shows who answered", async () => {
    receipt = { result: "late", message: "Answered in the terminal already." };
    await press(await post(makePermission("rm -r build")), "Deny …");
    await slack.submit({ reason: "no" });
    await waitFor(() => JSON.stringify(slack.modal() ?? {}).includes("Answered in the terminal already."));
  });

  test("a plan is approved or rejected with a reason", async () => {
    const card = makePermission("# The plan", { kind: "plan" });
    const place = await post(card);
    await harness.person.press(place, card, { type: "allow", scope: "once" }, "act-1");
    expect((await arrived()).content).toEqual({ type: "allow", scope: "once" });
    await harness.person.press(place, card, { type: "deny", reason: "smaller steps" }, "act-2");
    await waitFor(() => received.length === 2);
    expect(received[1]?.content).toEqual({ type: "deny", reason: "smaller steps" });
  });

  test("an action is acknowledged to Slack only after it is stored", async () => {
    const kept = Promise.withResolvers<void>();
    commit = kept.promise;
    const place = await post(makeCard());
    const pressed = press(place, "SQLite");
    await arrived();
    const [act] = harness.proxy.delivered;
    expect(act?.ackMs).toBeUndefined();
    kept.resolve();
    await pressed;
    await waitFor(() => act?.ackMs !== undefined, { describe: "the acknowledgement" });
  });

  test("a repeated delivery has the same id in any envelope", async () => {
    harness.proxy.faults.isDoubled = true;
    const place = await post(makeCard());
    await press(place, "SQLite");
    await harness.person.say(place, "SQLite", "act-1");
    await waitFor(() => brought.length >= 4);
    expect(received).toHaveLength(2);
  });

  test("a press on a card from before a restart shows its outcome", async () => {
    const place = await post(makeCard());
    await harness.channel.stop();
    const again = harness.reopen();
    again.start(inbox);
    again.watch([]);
    await ready(again);
    await press(place, "SQLite");
    expect(await arrived()).toMatchObject({
      target: { ticket: "ticket-1" },
      content: { type: "answers", answers: [["SQLite"]] },
    });
  });

  // The emulator waits five seconds for an acknowledgement.
  test.runIf(isLong)(
    "a press while it was down is not delivered, and counts when it is repeated",
    async () => {
      const place = await post(makeCard());
      await harness.channel.stop();
      await press(place, "Postgres").catch(() => undefined); // Slack shows that it failed.
      const again = harness.reopen();
      again.start(inbox);
      again.watch([{ place, card: makeCard(), postedAt: Date.now() }]);
      await ready(again);
      await press(place, "SQLite");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "answers", answers: [["SQLite"]] } }]);
    },
  );

  test("an accepted reply gets a reaction and comments go to its thread", async () => {
    const place = await post(makeCard());
    await harness.person.say(place, "SQLite", "act-1");
    await waitFor(async () =>
      (await harness.stored()).some((each) =>
        each.reactions?.some(({ name }) => name === "white_check_mark"),
      ),
    );
    receipt = { result: "unclear", message: "Please press a button <!channel>." };
    await harness.person.say(place, "yes", "act-2");
    await waitFor(async () => (await harness.person.told()).includes("Please press a button <!channel>."));
    const told = (await harness.stored()).find((each) => textOf(each).includes("Please press"));
    expect(told).toMatchObject({ thread_ts: place.split(":")[1], text: expect.not.stringContaining("<!") });
  });

  test("a direct message outside a card is delivered unchanged", async () => {
    await post(makeCard());
    await harness.person.say(null, "ABC DEF", "act-1");
    expect(await arrived()).toMatchObject({
      target: null,
      room: { isDirect: true, isShared: false },
      content: { type: "text", text: "ABC DEF" },
    });
  });

  test("links are delivered as typed", async () => {
    const place = await post(makeCard());
    const [channel = "", thread = ""] = place.split(":");
    await slack.say({ channel, thread, text: "see <https://a.example/x> and <http://b.example|b.example>" });
    expect((await arrived()).content).toEqual({
      type: "text",
      text: "see https://a.example/x and b.example",
    });
  });

  test("edits, bot messages and files are ignored", async () => {
    const place = await post(makeCard());
    await harness.person.say(place, "SQLite", "act-1");
    await waitFor(() => received.length === 1);
    const said = (await harness.stored()).find((each) => each.text === "SQLite");
    await slack.edit({ channel: said?.channel ?? "", ts: said?.ts ?? "", text: "Postgres" });
    const [event] = harness.proxy.delivered.filter(({ type }) => type === "events_api");
    for (const change of [{ bot_id: "B1" }, { subtype: "file_share" }, { user: undefined }])
      harness.proxy.redeliver(event!, (payload) => {
        Object.assign(payload.event, change, { ts: "1999999999.000001" });
      });
    await harness.person.say(place, "after all that", "act-2");
    await waitFor(() => received.length === 2);
    expect(received.map(({ content: each }) => each)).toEqual([
      { type: "text", text: "SQLite" },
      { type: "text", text: "after all that" },
    ]);
  });

  describe("takes the sender's identity from Slack", () => {
    test.each([
      ["a guest", "guests", { isGuest: true }],
      ["a user of another team", "strangers", { team: "T0OTHERS" }],
    ] as const)("%s", async (_name, list, expected) => {
      harness.proxy.faults[list] = [workspace.owner];
      // Another team claims to be ours: the payload names one team, Slack another.
      await press(await post(makeCard()), "SQLite");
      const { sender } = await arrived();
      expect(sender).toMatchObject(list === "strangers" ? { team: null } : expected);
    });

    test("ignores a forged team", async () => {
      const place = await post(makeCard());
      await press(place, "SQLite");
      await arrived();
      harness.proxy.redeliver(harness.proxy.delivered[0]!, (payload) => {
        payload.user.team_id = "T0FORGED";
        payload.trigger_id = "forged";
      });
      await waitFor(() => received.length === 2);
      expect(received.map(({ sender }) => sender.team)).toEqual([workspace.team, null]);
    });

    test("rejects a sender that cannot be looked up", async () => {
      const place = await post(makeCard());
      harness.proxy.faults.scopes = harness.proxy.faults.scopes.filter((scope) => scope !== "users:read");
      void press(place, "SQLite").catch(() => {}); // It is never acknowledged.
      await waitFor(() => harness.channel.health().state === "misconfigured");
      expect(harness.channel.health().detail).toContain("users:read");
      expect(received).toEqual([]);
    });
  });

  describe("in a channel", () => {
    beforeEach(async () => {
      await harness.close();
      await open({ channel: workspace.channel });
    });

    test("only replies in a card's thread are read", async () => {
      const place = await post(makeCard());
      const [, thread = ""] = place.split(":");
      const { channel, other } = workspace;
      await slack.say({ channel, user: other, text: "lunch?" });
      const lunch = (await slack.messages(channel)).find(({ text }) => text === "lunch?");
      await slack.say({ channel, user: other, text: "yes", thread: lunch?.ts ?? "" });
      await slack.say({ channel, user: other, text: "Postgres", thread });
      expect(await arrived()).toMatchObject({
        sender: { id: other, name: "bob" },
        room: { id: channel, isDirect: false, isShared: false },
        content: { text: "Postgres" },
      });
      expect(received).toHaveLength(1);
    });

    test("a message to one person is visible to that person only", async () => {
      receipt = { result: "late", message: "Ada was first." };
      await press(await post(makeCard()), "SQLite");
      const told = await waitFor(async () => (await harness.stored()).find((each) => each.ephemeral_to));
      expect(told).toMatchObject({ ephemeral_to: workspace.owner });
      expect(textOf(told)).toBe("Ada was first.");
    });

    test("shared with another workspace, nothing is posted and its messages are marked", async () => {
      const place = await post(makeCard());
      harness.proxy.faults.shared = [workspace.channel];
      await harness.channel.stop();
      harness.channel = harness.reopen();
      harness.channel.start(inbox);
      harness.channel.watch([{ place, card: makeCard(), postedAt: Date.now() }]);
      await ready(harness.channel);
      await expect(harness.channel.post(makeCard(), "key-2")).rejects.toMatchObject({
        retry: "never",
        message: expect.stringContaining("shared with another organisation"),
      });
      await press(place, "SQLite");
      expect((await arrived()).room).toMatchObject({ isShared: true });
    });
  });
});
