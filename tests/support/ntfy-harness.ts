import type { Channel, MessageRef } from "../../src/channels/channel.ts";
import { makeCardCode } from "../../src/channels/card-code.ts";
import { type NtfyOptions, openNtfyChannel } from "../../src/channels/ntfy/ntfy-channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { ChannelHarness, ShownMessage } from "../conformance/channel-contract.ts";
import { openFaultProxy } from "./fault-proxy.ts";

const topics = { topic: "rookery-questions", answerTopic: "rookery-answers" };

/** A notification as the phone shows it: the latest with its sequence id. */
interface Shown extends ShownMessage {
  title: string;
  actions: { label: string; url: string; body: string }[];
}

interface NtfyHarness extends ChannelHarness {
  phone: {
    notifications(): Promise<Shown[]>;
    press(place: MessageRef, label: string): Promise<void>;
    send(text: string): Promise<void>;
  };
}

const faults = {
  outage: "hang up",
  limited: { status: 429, body: { code: 42901, http: 429, error: "limit reached" } },
  refused: { status: 403, body: { code: 40301, http: 403, error: "forbidden" } },
} as const;

/** Our channel, a fault proxy, and an ntfy server; the phone talks to the server directly. */
export async function openNtfyHarness(
  server: { url: string; token?: string; close(): Promise<void> },
  options: Partial<NtfyOptions> = {},
): Promise<NtfyHarness> {
  const proxy = await openFaultProxy(server.url);
  const opened: Channel[] = [];
  const codes = new Map<MessageRef, string>();
  const acts = new Map<string, string>();
  let position: string | undefined;

  function open(): Channel {
    const channel = openNtfyChannel({
      url: proxy.url,
      token: server.token,
      ...topics,
      approvals: true,
      people: () => ["someone"],
      loadPosition: () => position,
      savePosition: (next) => void (position = next),
      log: silentLog,
      ...options,
    });
    opened.push(channel);
    return {
      ...channel,
      async post(card: Card, key: string) {
        const place = await channel.post(card, key);
        codes.set(place, makeCardCode(card.ticket));
        return place;
      },
    };
  }

  async function poll(): Promise<any[]> {
    const headers = server.token ? { authorization: `Bearer ${server.token}` } : {};
    const response = await fetch(`${server.url}/${topics.topic}/json?poll=1&since=all`, { headers });
    return (await response.text())
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  async function notifications(): Promise<(Shown & { sequence: string })[]> {
    const latest = new Map<string, any>();
    for (const each of await poll()) latest.set(each.sequence_id ?? each.id, each);
    const shown: (Shown & { sequence: string })[] = [];
    let files: string[] = [];
    for (const [sequence, { title = "", message, actions = [], attachment, ...rest }] of latest) {
      if (attachment) {
        files.push(await (await fetch(attachment.url)).text());
        continue;
      }
      const live = Object.keys(rest).filter((field) => field === "markdown" || field === "content_type");
      const canAct = actions.length > 0 || /tap this and send/.test(message);
      shown.push({ sequence, title, text: `${title}\n${message}`, files, canAct, live, actions });
      files = [];
    }
    return shown;
  }

  async function send(text: string): Promise<void> {
    await fetch(`${server.url}/${topics.answerTopic}`, { method: "POST", body: text });
  }

  async function press(place: MessageRef, label: string): Promise<void> {
    const shown = (await notifications()).find(({ sequence }) => sequence === place);
    const action = shown?.actions.find((each) => each.label === label);
    if (!action) throw new Error(`no button ${label} on ${shown?.text}`);
    // Through the proxy's address, which the phone cannot reach during an outage.
    await fetch(action.url.replace(proxy.url, server.url), { method: "POST", body: action.body });
  }

  /** ntfy delivers a message again under its id only after a reconnect, so a repeated action is not sent again. */
  async function once(actId: string, act: () => Promise<void>): Promise<void> {
    if (acts.has(actId)) return;
    acts.set(actId, actId);
    await act();
  }

  return {
    channel: open(),
    reopen: open,
    phone: { notifications, press, send },
    async messages() {
      return (await notifications()).filter(({ title }) => title !== "Rookery");
    },
    person: {
      press: (place, _card, answer, actId) =>
        once(actId, () => {
          if (answer.type === "answers") return press(place, answer.answers[0]?.[0] ?? "");
          if (answer.type === "deny") return send(`deny ${codes.get(place)} ${answer.reason}`);
          return press(place, answer.scope === "once" ? "Allow once" : "Allow for session");
        }),
      say: (place, text, actId) =>
        once(actId, () => send(place === null ? text : `${codes.get(place)} ${text}`)),
      told: async () =>
        (await notifications())
          .filter(({ title }) => title === "Rookery")
          .map(({ text }) => text.replace("Rookery\n", "")),
    },
    fail: async (how) => proxy.answer(faults[how]),
    repair: async () => proxy.answer(undefined),
    async close() {
      await Promise.all(opened.map((channel) => channel.stop()));
      await proxy.close();
      await server.close();
    },
  };
}
