import {
  type Channel,
  ChannelError,
  type Inbox,
  type OpenCard,
  type MessageRef,
  type Receipt,
  type Reply,
} from "../../src/channels/channel.ts";
import type { Card, Notice } from "../../src/domain/ask/card.ts";
import type { ChannelHarness, ShownMessage } from "../conformance/channel-contract.ts";

interface Message extends ShownMessage {
  key: string;
  place: MessageRef;
  thread: { id: string; text: string; isRead: boolean }[];
}

/** An in-memory chat service that keeps its state while the daemon restarts. */
export interface MemoryService extends ChannelHarness {
  person: NonNullable<ChannelHarness["person"]>;
  /** Every post that reached the service, including duplicates by key. */
  posts(): string[];
  watched(): readonly OpenCard[];
  /** Delivers a reply of any sender, as the channel would. */
  act(reply: Partial<Reply>): Promise<Receipt>;
  /** Called after a post is shown and before the channel gets the response, to simulate a crash at that moment. */
  onShown(listener: () => void): void;
}

export const owner: Reply["sender"] = {
  id: "U0OWNER",
  team: "T0TEAM",
  name: "Ada",
  isGuest: false,
  isBot: false,
};
export const directRoom: Reply["room"] = { id: "D1", isDirect: true, isShared: false };

/** A service and a channel to it that fulfils the contract; `name` is the channel it replaces. */
export function openMemoryService(name: Reply["channel"] = "slack"): MemoryService {
  const messages: Message[] = [];
  const posts: string[] = [];
  const told: string[] = [];
  let failing: "outage" | "limited" | "refused" | undefined;
  let inbox: Inbox | undefined;
  let watched: readonly OpenCard[] = [];
  let shown = (): void => {};

  function show(key: string, text: string, canAct: boolean): MessageRef {
    if (failing === "refused") throw new ChannelError("never", "the token was revoked");
    if (failing)
      throw new ChannelError(
        "later",
        `the service is ${failing}`,
        failing === "limited" ? { afterMs: 50 } : {},
      );
    posts.push(key);
    const known = messages.find((message) => message.key === key);
    if (known) return known.place;
    const place = `place-${messages.length + 1}`;
    messages.push({ key, place, text: stripInvisible(text), files: [], canAct, live: [], thread: [] });
    shown();
    return place;
  }

  async function bring(reply: Partial<Reply>): Promise<Receipt> {
    if (!inbox) return { result: "refused", message: null };
    const whole: Reply = {
      id: "act",
      channel: name,
      sender: owner,
      room: directRoom,
      at: Date.now(),
      target: null,
      content: { type: "text", text: "" },
      hints: { decide: "Press a button.", several: "Use the form.", address: "Reply in a thread." },
      ...reply,
    };
    const receipt = await inbox.receive(whole);
    if (receipt.message) told.push(receipt.message);
    return receipt;
  }

  async function readThreads(): Promise<void> {
    for (const { place } of watched) {
      const thread = messages.find((message) => message.place === place)?.thread ?? [];
      for (const entry of thread.filter(({ isRead }) => !isRead)) {
        entry.isRead = true;
        // A text that could not be stored is delivered again with the next poll.
        await bring({ id: entry.id, target: { place }, content: { type: "text", text: entry.text } }).catch(
          () => {
            entry.isRead = false;
          },
        );
      }
    }
  }

  const makeChannel = (): Channel => {
    let isOver = false;
    return {
      name,
      canAnswer: true,
      start(given) {
        inbox = given;
      },
      async stop() {
        if (isOver) return;
        isOver = true;
        inbox = undefined;
        watched = [];
      },
      health: () => (failing ? { state: "failing", detail: failing } : { state: "ready", detail: "" }),
      async post(card, key) {
        return show(key, describeCard(card), true);
      },
      async settle(place, card, outcome) {
        if (failing) throw new ChannelError(failing === "refused" ? "never" : "later", failing);
        const message = messages.find((each) => each.place === place);
        if (!message) throw new ChannelError("never", `there is no ${place}`);
        message.canAct = false;
        message.text = `${describeCard(card)}\n${outcome.text}`;
      },
      async notify(notice, key) {
        return show(key, describeNotice(notice), false);
      },
      watch(open) {
        watched = open;
        void readThreads();
      },
    };
  };

  return {
    channel: makeChannel(),
    reopen: makeChannel,
    messages: async () => messages,
    person: {
      async press(_place, card, content, id) {
        await bring({ id, target: { ticket: card.ticket }, content }).catch(() => undefined);
      },
      async say(place, text, id) {
        const message = messages.find((each) => each.place === place);
        if (message) message.thread.push({ id, text, isRead: false });
        else await bring({ id, content: { type: "text", text } });
        await readThreads();
      },
      told: async () => told,
    },
    posts: () => posts,
    watched: () => watched,
    act: bring,
    onShown(listener) {
      shown = listener;
    },
    async fail(how) {
      failing = how;
    },
    async repair() {
      failing = undefined;
    },
    async close() {},
  };
}

function describeCard(card: Card): string {
  const { headline, asker, context, prompts, subject, danger, claimedBy } = card;
  const asked = prompts.map(({ text, options }) => [text, ...options.map(({ label }) => label)].join("\n"));
  return [headline, asker.project, asker.agent, context, danger, claimedBy, ...asked, subject?.text]
    .filter(Boolean)
    .join("\n");
}

function describeNotice({ headline, body, asker }: Notice): string {
  return [headline, asker.project, asker.agent, body].join("\n");
}

function stripInvisible(text: string): string {
  return text.replace(/\p{Cf}/gu, "");
}
