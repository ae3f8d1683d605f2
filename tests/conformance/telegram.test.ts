import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Channel, Inbox, MessageRef, Receipt, Reply } from "../../src/channels/channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import {
  ada,
  bob,
  botToken,
  findMessage,
  hasLocalTelegram,
  localTelegramMissing,
} from "../support/local-telegram.ts";
import { waitFor } from "../support/processes.ts";
import { openTelegramHarness } from "../support/telegram-harness.ts";
import { describeChannel, makeCard, makePermission } from "./channel-contract.ts";

if (!hasLocalTelegram) console.warn(localTelegramMissing);

describe.skipIf(!hasLocalTelegram)("Telegram, on an emulator", () => {
  describeChannel("Telegram", () => openTelegramHarness());

  describe("a card on Telegram", () => {
    let harness: Awaited<ReturnType<typeof openTelegramHarness>>;
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

    beforeEach(async () => {
      received = [];
      receipt = { result: "accepted", message: null };
      people = [String(ada.id)];
      harness = await openTelegramHarness({ people: () => people });
      channel = harness.channel;
      channel.start(inbox);
    });
    afterEach(() => harness.close());

    const arrived = (count = 1): Promise<true> =>
      waitFor(() => received.length >= count && true, { describe: () => `${count}, not ${received.length}` });
    const labels = (place: MessageRef): string[] => harness.find(place).keyboard.map(({ text }) => text);
    async function press(place: MessageRef, label: string): Promise<void> {
      await waitFor(() => labels(place).includes(label), {
        describe: () => `${label} in ${labels(place).join()}`,
      });
      await harness.telegram.press(harness.find(place), label);
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
      await press(place, "1) B");
      await press(place, "2) X");
      await press(place, "2) Y");
      await waitFor(() => labels(place).includes("☑ 2) Y"));
      expect(labels(place)).toEqual(["1) A", "☑ 1) B", "☑ 2) X", "☑ 2) Y", "Send"]);
      await press(place, "Send");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "answers", answers: [["B"], ["X", "Y"]] } }]);
      // Every press is answered, so that no button keeps its waiting sign.
      await waitFor(() => harness.telegram.answered() === 5);
    });

    test("a selection survives a restart", async () => {
      const place = await channel.post(several, "k");
      await press(place, "1) B");
      await waitFor(() => labels(place).includes("☑ 1) B"));
      await channel.stop();
      channel = harness.reopen();
      channel.start(inbox);
      channel.watch([{ place, card: several, postedAt: 0 }]);
      await press(place, "Send");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "answers", answers: [["B"], []] } }]);
    });

    test("an incomplete form is not sent", async () => {
      const place = await channel.post(several, "k");
      await press(place, "Send");
      await waitFor(() =>
        harness.telegram.alerts.some((text) => text.includes("choose an answer to “Which?”")),
      );
      expect(received).toEqual([]);
    });

    test("numbers answer several questions", async () => {
      const place = await channel.post(several, "k");
      await harness.telegram.say("2 1", { to: harness.find(place).id });
      await arrived();
      expect(received).toMatchObject([
        { target: { ticket: several.ticket }, content: { type: "answers", answers: [["B"], ["X"]] } },
      ]);
    });

    test("own words are asked for and belong to their card", async () => {
      const first = await channel.post(makeCard({ ticket: "one" }), "k-1");
      await channel.post(makeCard({ ticket: "two" }), "k-2");
      await press(first, "Answer in your own words …");
      const request = await findMessage(harness.telegram, ({ isRequest }) => isRequest);
      await harness.telegram.say("neither", { to: request.id });
      await arrived();
      expect(received).toMatchObject([
        { target: { place: first }, content: { type: "text", text: "neither" } },
      ]);
    });

    test("more options than buttons are chosen by number", async () => {
      const options = Array.from({ length: 120 }, (_, n) => ({
        label: `Option ${n + 1}`,
        description: null,
      }));
      const card = makeCard({ prompts: [{ text: "Which?", header: null, options, isMulti: false }] });
      const place = await channel.post(card, "k");
      expect(harness.find(place)).toMatchObject({
        keyboard: [],
        text: expect.stringContaining("Reply to this message with a number"),
      });
    });

    test("a plan is approved, or sent back with a reason", async () => {
      const plan: Card = makePermission("# Plan\n1. rename", { kind: "plan", sessionRule: null });
      const place = await channel.post(plan, "k");
      expect(labels(place)).toEqual(["Approve", "Keep planning", "Say what to change …"]);
      await press(place, "Keep planning");
      await arrived();
      expect(received).toMatchObject([{ content: { type: "deny", reason: "" } }]);
    });

    test("a dangerous command is only allowed by a second press, but denied by one", async () => {
      const danger = "deletes files without asking";
      const card = makePermission("rm -rf build", { danger });
      const place = await channel.post(card, "k");
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
      const place = await channel.post(makePermission("curl https://x.example @ada /start"), "k");
      const { text, entities } = harness.find(place);
      const shown = entities.map(({ offset, length }) => text.slice(offset, offset + length));
      expect(shown).toEqual(["curl https://x.example @ada /start"]);
    });

    test("every paired person is asked; all cards show the outcome, and a reply to any counts", async () => {
      people = [String(ada.id), String(bob.id)];
      const card = makeCard();
      const place = await channel.post(card, "k");
      const cards = harness.telegram.messages();
      expect(cards.map(({ chat }) => chat)).toEqual(people);
      await harness.telegram.say("neither", { to: cards[1]?.id ?? 0, user: bob });
      await arrived();
      expect(received).toMatchObject([{ sender: { id: String(bob.id) }, target: { place } }]);
      await channel.settle(place, card, { state: "answered", text: "Bob answered" });
      for (const { text, keyboard } of harness.telegram.messages()) {
        expect(text).toContain("Bob answered");
        expect(keyboard).toEqual([]);
      }
    });

    test("a person who blocked the bot does not keep the other from being asked", async () => {
      people = [String(bob.id), String(ada.id)];
      harness.telegram.faults.blocked = [String(bob.id)];
      await channel.post(makeCard(), "k");
      expect(harness.telegram.messages().map(({ chat }) => chat)).toEqual([String(ada.id)]);
      people = [String(bob.id)];
      await expect(channel.post(makeCard(), "k-2")).rejects.toMatchObject({
        retry: "never",
        message: expect.stringContaining("unblock"),
      });
    });

    test("presses while it was down arrive once, and are answered by a message if they are too old", async () => {
      const card = makePermission("mkdir x");
      const place = await channel.post(card, "k");
      await channel.stop();
      await press(place, "Allow once");
      harness.telegram.faults.arePressesOld = true;
      receipt = { result: "late", message: "Denied in the terminal." };
      channel = harness.reopen();
      channel.start(inbox);
      await arrived();
      await findMessage(harness.telegram, ({ text }) => text === "Denied in the terminal.");
      await waitFor(() => harness.telegram.pending() === 0);
      await channel.stop();
      channel = harness.reopen();
      channel.start(inbox);
      await waitFor(() => channel.health().state === "ready");
      expect(received).toHaveLength(1);
    });

    test("groups are ignored, and a start link carries its code", async () => {
      await harness.telegram.say("ABC234", { chat: { id: -5, type: "group" } });
      await harness.telegram.say("/start ABC234");
      await arrived();
      expect(received).toMatchObject([
        { room: { id: String(ada.id), isDirect: true }, content: { text: "ABC234" } },
      ]);
    });

    test("another program that reads the bot's messages is reported", async () => {
      harness.telegram.faults.isConflicting = true;
      // Ends the waiting poll.
      await harness.telegram.say("hello");
      await waitFor(() => channel.health().state === "failing");
      expect(channel.health().detail).toContain("Another program reads this bot's messages");
    });

    test("no error contains the token", async () => {
      for (const how of ["outage", "refused"] as const) {
        await harness.fail(how);
        const error = await channel.post(makeCard(), "k").catch((thrown: Error) => thrown);
        expect(JSON.stringify([(error as Error).message, String((error as Error).cause)])).not.toContain(
          botToken,
        );
        await harness.repair();
      }
    });

    test("without a paired person it is off and sends nothing", async () => {
      people = [];
      expect(channel.health()).toMatchObject({
        state: "off",
        detail: expect.stringContaining("rookery pair telegram"),
      });
      await expect(channel.post(makeCard(), "k")).rejects.toMatchObject({ retry: "never" });
    });
  });
});
