import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Channel, Inbox, MessageRef, Receipt, Reply } from "../../src/channels/channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import { openDiscordHarness } from "../support/discord-harness.ts";
import {
  ada,
  bob,
  botToken,
  hasLocalDiscord,
  localDiscordMissing,
  unescape,
} from "../support/local-discord.ts";
import { waitFor } from "../support/processes.ts";
import { describeChannel, makeCard, makePermission } from "./channel-contract.ts";

if (!hasLocalDiscord) console.warn(localDiscordMissing);

describe.skipIf(!hasLocalDiscord)("Discord, on an emulator", () => {
  describeChannel("Discord", () => openDiscordHarness());

  describe("a card on Discord", () => {
    let harness: Awaited<ReturnType<typeof openDiscordHarness>>;
    let channel: Channel;
    let received: Reply[];
    let receipt: Receipt;
    let people: string[];
    const inbox: Inbox = {
      async receive(reply) {
        received.push(reply);
        return receipt;
      },
    };
    const isReady = (): Promise<true> =>
      waitFor(() => channel.health().state === "ready" && true, { describe: () => channel.health().detail });

    beforeEach(async () => {
      received = [];
      receipt = { result: "accepted", message: null };
      people = [ada.id];
      harness = await openDiscordHarness({ people: () => people });
      channel = harness.channel;
      channel.start(inbox);
      await isReady();
    });
    afterEach(() => harness.close());

    const arrived = (count = 1): Promise<true> =>
      waitFor(() => received.length >= count && true, { describe: () => `${count}, not ${received.length}` });
    const labels = async (place: MessageRef): Promise<string[]> =>
      (await harness.find(place)).buttons.map(({ label }) => label);
    async function press(place: MessageRef, label: string, text?: string): Promise<void> {
      await waitFor(async () => (await labels(place)).includes(label), { describe: () => label });
      await harness.discord.press(await harness.find(place), label, text === undefined ? {} : { text });
    }

    const several = makeCard({
      prompts: [
        {
          text: "Which?",
          header: null,
          options: [
            { label: "A", description: null },
            { label: "B", description: null },
          ],
          isMulti: false,
        },
        {
          text: "Also?",
          header: null,
          options: [
            { label: "X", description: null },
            { label: "Y", description: null },
          ],
          isMulti: true,
        },
      ],
    });

    test("several questions are chosen with marks and sent together", async () => {
      const place = await channel.post(several, "k");
      await press(place, "1) A");
      await press(place, "☑ 1) A");
      await press(place, "1) B");
      await press(place, "2) X");
      await press(place, "2) Y");
      await waitFor(async () => (await labels(place)).includes("☑ 2) Y"));
      expect(await labels(place)).toEqual(["1) A", "☑ 1) B", "☑ 2) X", "☑ 2) Y", "Send"]);
      await press(place, "Send");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "answers", answers: [["B"], ["X", "Y"]] } }]);
    });

    test("a selection survives a restart", async () => {
      const place = await channel.post(several, "k");
      await press(place, "1) B");
      await waitFor(async () => (await labels(place)).includes("☑ 1) B"));
      await channel.stop();
      channel = harness.reopen();
      channel.start(inbox);
      channel.watch([{ place, card: several, postedAt: 0 }]);
      await isReady();
      await press(place, "Send");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "answers", answers: [["B"], []] } }]);
    });

    test("an incomplete form is not sent, and only its sender is told", async () => {
      const place = await channel.post(several, "k");
      await press(place, "Send");
      await waitFor(async () =>
        (await harness.discord.told()).some((text) => text.includes("choose an answer to “Which?”")),
      );
      expect(received).toEqual([]);
      expect(await harness.discord.messages()).toHaveLength(1);
    });

    test("numbers answer several questions", async () => {
      const place = await channel.post(several, "k");
      await harness.discord.say("2 1", { to: (await harness.find(place)).id });
      await arrived();
      expect(received).toMatchObject([
        { target: { ticket: several.ticket }, content: { type: "answers", answers: [["B"], ["X"]] } },
      ]);
    });

    test("own words are asked for in a dialog and belong to their card", async () => {
      const first = await channel.post(makeCard({ ticket: "one" }), "k-1");
      await channel.post(makeCard({ ticket: "two" }), "k-2");
      await press(first, "Answer in your own words …", "neither");
      await arrived();
      expect(received).toMatchObject([
        { target: { place: first }, content: { type: "text", text: "neither" } },
      ]);
    });

    test("options flow over the rows, and more options than buttons are chosen by number", async () => {
      const make = (count: number, ticket: string): Card => {
        const options = Array.from({ length: count }, (_, n) => ({
          label: `Option ${n}`,
          description: null,
        }));
        return makeCard({ ticket, prompts: [{ text: "Which?", header: null, options, isMulti: true }] });
      };
      expect(await labels(await channel.post(make(23, "full"), "k-1"))).toHaveLength(25);
      const { buttons, content } = await harness.find(await channel.post(make(24, "over"), "k-2"));
      expect(buttons).toEqual([]);
      expect(content).toContain("Reply to this message with a number");
    });

    test("a plan is approved, or sent back with a reason", async () => {
      const plan: Card = makePermission("# Plan\n1. rename", { kind: "plan", sessionRule: null });
      const place = await channel.post(plan, "k");
      expect(await labels(place)).toEqual(["Approve", "Keep planning", "Say what to change …"]);
      await press(place, "Keep planning");
      await press(place, "Say what to change …", "smaller steps");
      await arrived(2);
      expect(received).toMatchObject([
        { content: { type: "deny", reason: "" } },
        { content: { type: "deny", reason: "smaller steps" } },
      ]);
    });

    test("a dangerous command is only allowed by a second press, but denied by one", async () => {
      const danger = "deletes files without asking";
      const place = await channel.post(makePermission("rm -rf build", { danger }), "k");
      await press(place, "⚠ Allow for session …");
      await press(place, "⚠ Allow once …");
      await press(place, "Press again: Allow once");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "allow", scope: "once" } }]);
      const other = makePermission("rm -rf dist", { danger, ticket: "ticket-2", questionId: "q-2" });
      await press(await channel.post(other, "k-2"), "Deny");
      await arrived(2);
      expect(received[1]).toMatchObject({ content: { type: "deny" } });
    });

    test("the command is shown literally", async () => {
      const command = "curl https://x.example **bold** ``` @everyone";
      const place = await channel.post(makePermission(command), "k");
      const { content } = await harness.find(place);
      const [, shown] = /```\n([^]*?)\n```/.exec(content) ?? [];
      expect(shown?.replaceAll("\u200b", "")).toBe(command);
      const post = harness.discord.calls.find(({ path }) => path.endsWith("/messages"));
      expect(post?.body.allowed_mentions).toEqual({ parse: [] });
    });

    test("every paired person is asked; all cards show the outcome, and a reply to any counts", async () => {
      people = [ada.id, bob.id];
      const card = makeCard();
      const place = await channel.post(card, "k");
      const cards = await harness.discord.messages();
      expect(new Set(cards.map(({ chat }) => chat)).size).toBe(2);
      await harness.discord.say("neither", { to: cards[1]?.id ?? "", user: bob });
      await arrived();
      expect(received).toMatchObject([{ sender: { id: bob.id }, target: { place } }]);
      await channel.settle(place, card, { state: "answered", text: "Bob answered" });
      for (const { content, buttons } of await harness.discord.messages()) {
        expect(content).toContain("Bob answered");
        expect(buttons).toEqual([]);
      }
    });

    test("a person who cannot be written to does not keep the other from being asked", async () => {
      people = [bob.id, ada.id];
      harness.discord.faults.blocked = [bob.id];
      await channel.post(makeCard(), "k");
      expect(await harness.discord.messages()).toHaveLength(1);
      people = [bob.id];
      await expect(channel.post(makeCard(), "k-2")).rejects.toMatchObject({
        retry: "never",
        message: expect.stringContaining("allow direct messages"),
      });
    });

    test("a lost response does not post the card again, even after a restart", async () => {
      const place = await channel.post(makeCard(), "k");
      await channel.stop();
      channel = harness.reopen();
      expect(await channel.post(makeCard(), "k")).toBe(place);
      expect(await harness.discord.messages()).toHaveLength(1);
    });

    test("messages of a lost connection are read once, in order, when it is back", async () => {
      await harness.discord.say("before");
      await arrived();
      harness.discord.faults.isDown = true;
      harness.discord.dropConnections();
      await waitFor(() => channel.health().state === "failing");
      for (const text of ["one", "two", "three"]) await harness.discord.say(text);
      harness.discord.faults.isDown = false;
      await arrived(4);
      await isReady();
      await harness.discord.say("after");
      await arrived(5);
      expect(received.map(({ content }) => content.type === "text" && content.text)).toEqual([
        "before",
        "one",
        "two",
        "three",
        "after",
      ]);
    });

    test("messages and presses in a server are ignored", async () => {
      await harness.discord.say("ABC234", { guild: "300" });
      await harness.discord.say("hello");
      await arrived();
      expect(received).toMatchObject([{ room: { isDirect: true }, content: { text: "hello" } }]);
    });

    test("a rejected token is a problem of the settings, and no error contains it", async () => {
      await harness.fail("refused");
      harness.discord.dropConnections();
      await waitFor(() => channel.health().state === "misconfigured");
      expect(channel.health().detail).toContain("rookery setup discord");
      for (const how of ["outage", "refused"] as const) {
        await harness.fail(how);
        const error = (await channel.post(makeCard(), "k").catch((thrown: Error) => thrown)) as Error;
        expect(JSON.stringify([error.message, String(error.cause)])).not.toContain(botToken);
      }
    });

    test("the outcome is told in words that are not markup", async () => {
      receipt = { result: "late", message: "Ada answered already: *Postgres*" };
      const place = await channel.post(makeCard(), "k");
      await press(place, "SQLite");
      await waitFor(async () => (await harness.discord.told()).includes(receipt.message ?? ""));
      expect(unescape(String.raw`\*x\*`)).toBe("*x*");
    });

    test("without a paired person it is off and sends nothing", async () => {
      people = [];
      expect(channel.health()).toMatchObject({
        state: "off",
        detail: expect.stringContaining("rookery pair discord"),
      });
      await expect(channel.post(makeCard(), "k")).rejects.toMatchObject({ retry: "never" });
    });
  });
});
