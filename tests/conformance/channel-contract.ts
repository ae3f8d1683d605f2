import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Channel,
  ChannelError,
  type Inbox,
  type MessageRef,
  type Receipt,
  type Reply,
} from "../../src/channels/channel.ts";
import type { Card, Notice, Outcome } from "../../src/domain/ask/card.ts";
import type { Answer } from "../../src/domain/ask/question.ts";
import { waitFor } from "../support/processes.ts";

/** A message in its current form, with all edits. */
export interface ShownMessage {
  /** Its full text, unescaped as the service's own client shows it. */
  text: string;
  /** The complete contents of its files. */
  files: string[];
  /** Whether it has buttons. */
  canAct: boolean;
  /** Mentions, links and markup that the service would interpret. */
  live: string[];
}

/** The other side of a channel: the service and the person who uses it. */
export interface ChannelHarness {
  /** Not yet started. */
  channel: Channel;
  /** A new process with the same service and settings, as after a restart of the daemon. Not yet started. */
  reopen(): Channel;
  /** Oldest first. */
  messages(): Promise<ShownMessage[]>;
  /** The actions of a person there; absent if the channel is display-only. */
  person?: {
    /** Presses the button for this answer. Two calls with the same act id are one act that the service delivered twice. */
    press(place: MessageRef, card: Card, answer: Answer, actId: string): Promise<void>;
    /** Writes in the thread of a card, or outside of any thread. */
    say(place: MessageRef | null, text: string, actId: string): Promise<void>;
    /** Messages that only this person can see. */
    told(): Promise<string[]>;
  };
  /** Until it is restored, the service does not answer, asks to retry later, or refuses permanently (a revoked token). */
  fail(how: "outage" | "limited" | "refused"): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

const bidi = "\u202e";

export function makeCard(fields: Partial<Card> = {}): Card {
  return {
    questionId: "q-1",
    ticket: "ticket-1",
    kind: "choice",
    headline: "api-rook asks: Which database?",
    asker: { project: "api", agent: "api-rook", sessionId: "s-1", subagent: null },
    context: "The notes need a place to live.",
    prompts: [
      {
        text: "Which database?",
        header: "Database",
        options: [
          { label: "Postgres", description: "a server" },
          { label: "SQLite", description: null },
        ],
        isMulti: false,
      },
    ],
    subject: null,
    danger: null,
    claimedBy: null,
    sessionRule: null,
    earlier: null,
    ...fields,
  };
}

export function makePermission(text: string, fields: Partial<Card> = {}): Card {
  return makeCard({
    kind: "permission",
    headline: "api-rook wants to run a command",
    prompts: [],
    subject: { toolName: "Bash", format: "command", text, hiddenSecrets: 0 },
    sessionRule: { toolName: "Bash", ruleContent: "mkdir:*" },
    ...fields,
  });
}

const notice: Notice = {
  kind: "done",
  level: "info",
  headline: "api-rook is done",
  body: "All 12 tests pass.",
  asker: { project: "api", agent: "api-rook", sessionId: "s-1", subagent: null },
};

const answered = (text: string): Outcome => ({ state: "answered", text });

/** The requirements for every channel. */
export function describeChannel(name: string, makeHarness: () => Promise<ChannelHarness>): void {
  describe(`the ${name} channel`, () => {
    let harness: ChannelHarness;
    let channel: Channel;
    let received: Reply[];
    let receipt: Receipt | Error;
    const inbox: Inbox = {
      async receive(reply) {
        received.push(reply);
        if (receipt instanceof Error) throw receipt;
        return receipt;
      },
    };

    beforeEach(async () => {
      received = [];
      receipt = { result: "accepted", message: null };
      harness = await makeHarness();
      channel = harness.channel;
      channel.start(inbox);
      await waitFor(() => channel.health().state === "ready", {
        describe: () => `ready, not ${JSON.stringify(channel.health())}`,
      });
    });
    afterEach(async () => {
      await channel.stop();
      await harness.close();
    });

    const only = async (): Promise<ShownMessage> => {
      const messages = await harness.messages();
      expect(messages).toHaveLength(1);
      return messages[0] as ShownMessage;
    };
    const open = (place: MessageRef, card: Card) => channel.watch([{ place, card, postedAt: Date.now() }]);
    const arrived = (count = 1): Promise<true> =>
      waitFor(() => received.length >= count && true, {
        describe: () => `${count} replies, not ${received.length}`,
      });

    test("shows a card with its agent, once per key", async () => {
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      expect(await channel.post(card, "key-1")).toBe(place);
      const { text, canAct } = await only();
      for (const part of ["api-rook", "Which database?", "api"]) expect(text).toContain(part);
      expect(canAct).toBe(channel.canAnswer);
      await channel.post(makeCard({ questionId: "q-2", ticket: "ticket-2" }), "key-2");
      expect(await harness.messages()).toHaveLength(2);
    });

    test("shows the danger of a command, and who has claimed a file", async () => {
      await channel.post(
        makePermission("rm -rf build", { danger: "deletes files without asking", claimedBy: "api-jay" }),
        "key-1",
      );
      if (!channel.canAnswer) return;
      const { text } = await only();
      expect(text).toContain("deletes files without asking");
      expect(text).toContain("api-jay");
    });

    test("shows news once per key", async () => {
      await channel.notify(notice, "news-1");
      await channel.notify(notice, "news-1");
      const { text, canAct } = await only();
      for (const part of [notice.headline, notice.body]) expect(text).toContain(part);
      expect(canAct).toBe(false);
    });

    test("shows hostile text as plain text", async () => {
      const text = `<!channel> <@U0OWNER> @room <https://evil.example|docs> [docs](https://evil.example) <b>x</b> \`\`\`${bidi}rm -rf /`;
      await channel.post(
        makeCard({
          headline: `api-rook asks: ${text}`,
          context: text,
          prompts: [
            { text, header: text, options: [{ label: text, description: text }], isMulti: false },
            { text: "and", header: null, options: [], isMulti: false },
          ],
          earlier: { answer: text, at: 0 },
        }),
        "hostile-choice",
      );
      await channel.post(makePermission(text, { ticket: "ticket-2" }), "hostile-permission");
      await channel.notify({ ...notice, headline: text, body: text }, "hostile-notice");
      const messages = await harness.messages();
      expect(messages).toHaveLength(3);
      for (const message of messages) {
        expect(message.live).toEqual([]);
        expect(message.text).not.toContain(bidi);
      }
    });

    test("accepts a text of any length", async () => {
      const long = Array.from({ length: 4_000 }, (_, n) => `echo line-${n} äöü &<>`).join("\n");
      await channel.post(makePermission(long), "long");
      await channel.post(
        makeCard({
          headline: "h".repeat(5_000),
          context: "c".repeat(20_000),
          prompts: [
            {
              text: "p".repeat(20_000),
              header: "x".repeat(500),
              options: Array.from({ length: 120 }, (_, n) => ({
                label: `${n}${"l".repeat(300)}`,
                description: "d".repeat(3_000),
              })),
              isMulti: true,
            },
          ],
        }),
        "long-choice",
      );
      await channel.notify({ ...notice, headline: "h".repeat(5_000), body: long }, "long-news");
      const messages = await harness.messages();
      expect(messages).toHaveLength(3);
      expect(messages[0]?.text).toContain("api-rook");
      // A command that cannot be read completely cannot be allowed.
      if (channel.canAnswer)
        expect([messages[0]?.text, ...(messages[0]?.files ?? [])].join("\n")).toContain("line-3999");
    });

    test.each([
      ["outage", "later"],
      ["limited", "later"],
      ["refused", "never"],
    ] as const)("reports for a failure (%s) whether to retry: %s", async (how, retry) => {
      await harness.fail(how);
      const thrown = await channel.post(makeCard(), "key-1").then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(ChannelError);
      expect(thrown).toMatchObject({ retry });
      // A desktop has no retry delay; a service names it.
      if (how === "limited" && channel.canAnswer) expect((thrown as ChannelError).afterMs).toBeGreaterThan(0);
      await harness.repair();
    });

    test("recovers from an outage and shows each failed post once", async () => {
      await harness.fail("outage");
      await expect(channel.post(makeCard(), "key-1")).rejects.toBeInstanceOf(ChannelError);
      await harness.repair();
      await waitFor(() =>
        channel.post(makeCard(), "key-1").then(
          () => true,
          () => false,
        ),
      );
      await only();
    });

    test("starts immediately while the service is unreachable", async () => {
      await channel.stop();
      await harness.fail("outage");
      channel = harness.reopen();
      expect(channel.start(inbox)).toBeUndefined();
      expect(["connecting", "failing", "ready"]).toContain(channel.health().state);
      await harness.repair();
    });

    test("can be stopped twice and receives nothing afterwards", async () => {
      const place = await channel.post(makeCard(), "key-1");
      open(place, makeCard());
      await channel.stop();
      await channel.stop();
      await harness.person?.say(place, "too late", "act-late");
      expect(received).toEqual([]);
    });

    test("settles a card and corrects its outcome", async () => {
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      await channel.settle(place, card, answered("You answered: SQLite"));
      await channel.settle(place, card, answered("You answered: SQLite"));
      if (channel.canAnswer) {
        expect(await only()).toMatchObject({ canAct: false });
        expect((await only()).text).toContain("You answered: SQLite");
      }
      await channel.settle(place, card, answered("Overruled in the terminal: Postgres"));
      const { text } = await only();
      if (!channel.canAnswer) return;
      expect(text).toContain("Overruled in the terminal: Postgres");
      expect(text).not.toContain("You answered: SQLite");
    });

    test("finds its messages after a restart", async () => {
      const card = makeCard();
      const place = await channel.post(card, "key-1");
      await channel.stop();
      channel = harness.reopen();
      channel.start(inbox);
      await channel.settle(place, card, { state: "expired", text: "No answer in time." });
      const { text, canAct } = await only();
      expect(canAct).toBe(false);
      if (channel.canAnswer) expect(text).toContain("No answer in time.");
    });

    describe("answered by a person", () => {
      const person = (): NonNullable<ChannelHarness["person"]> => {
        if (!harness.person) throw new Error(`${name} can answer, but its harness has no person`);
        return harness.person;
      };

      const rows: [string, Card, Answer][] = [
        ["an option", makeCard(), { type: "answers", answers: [["SQLite"]] }],
        ["allow once", makePermission("mkdir x"), { type: "allow", scope: "once" }],
        ["allow for session", makePermission("mkdir x"), { type: "allow", scope: "session" }],
        [
          "a deny with its reason",
          makePermission("rm -rf x"),
          { type: "deny", reason: "not this one: a < b & c" },
        ],
      ];
      test.each(rows)("delivers %s with the ticket and the sender", async (_what, card, answer) => {
        if (!channel.canAnswer) return;
        const place = await channel.post(card, "key-1");
        open(place, card);
        await person().press(place, card, answer, "act-1");
        await arrived();
        expect(received[0]).toMatchObject({
          channel: channel.name,
          target: { ticket: card.ticket },
          content: answer,
          sender: { isBot: false, isGuest: false },
          room: { isShared: false },
        });
        expect(received[0]?.sender.id).not.toBe("");
      });

      test("gives a repeated action the same id and a new action a new id", async () => {
        if (!channel.canAnswer) return;
        const card = makeCard();
        const place = await channel.post(card, "key-1");
        open(place, card);
        const answer: Answer = { type: "answers", answers: [["SQLite"]] };
        await person().press(place, card, answer, "act-1");
        await arrived(1);
        await person().press(place, card, answer, "act-2");
        await arrived(2);
        expect(new Set(received.map(({ id }) => id)).size).toBe(2);
        await person().press(place, card, answer, "act-2");
        // The channel may drop duplicates itself; those it passes on must have the same id.
        await person().say(place, "after that", "act-3");
        await waitFor(() => received.some(({ content }) => content.type === "text"));
        expect(new Set(received.map(({ id }) => id)).size).toBe(3);
      });

      test("delivers a reply in a card's thread as typed", async () => {
        if (!channel.canAnswer) return;
        const card = makeCard();
        const place = await channel.post(card, "key-1");
        open(place, card);
        await person().say(place, "neither: a < b && c > d, *see* `x`", "act-1");
        await arrived();
        expect(received[0]).toMatchObject({
          target: { place },
          content: { type: "text", text: "neither: a < b && c > d, *see* `x`" },
        });
      });

      test("reports the outcome to the sender only", async () => {
        if (!channel.canAnswer) return;
        const card = makeCard();
        const place = await channel.post(card, "key-1");
        open(place, card);
        receipt = { result: "late", message: "Ada answered already: Postgres" };
        await person().press(place, card, { type: "answers", answers: [["SQLite"]] }, "act-1");
        await arrived();
        await waitFor(async () => (await person().told()).includes("Ada answered already: Postgres"));
      });

      test("continues after an action could not be stored", async () => {
        if (!channel.canAnswer) return;
        const card = makeCard();
        const place = await channel.post(card, "key-1");
        open(place, card);
        receipt = new Error("disk full");
        await person().say(place, "one", "act-1");
        await arrived();
        receipt = { result: "accepted", message: null };
        await person().say(place, "two", "act-2");
        await waitFor(() =>
          received.some(({ content }) => content.type === "text" && content.text === "two"),
        );
      });

      test("delivers messages sent while it was offline", async () => {
        if (!channel.canAnswer) return;
        const card = makeCard();
        const place = await channel.post(card, "key-1");
        const postedAt = Date.now() - 1_000;
        await channel.stop();
        await person().say(place, "SQLite, please", "act-1");
        channel = harness.reopen();
        channel.start(inbox);
        channel.watch([{ place, card, postedAt }]);
        await arrived();
        expect(received[0]).toMatchObject({
          target: { place },
          content: { type: "text", text: "SQLite, please" },
        });
      });
    });
  });
}
