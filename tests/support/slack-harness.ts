import type { Channel, MessageRef } from "../../src/channels/channel.ts";
import { openSlackChannel, type SlackOptions } from "../../src/channels/slack/slack-channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import type { Answer } from "../../src/domain/ask/question.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { ChannelHarness, ShownMessage } from "../conformance/channel-contract.ts";
import { type LocalSlack, type StoredMessage, tokens, workspace } from "./local-slack.ts";
import { waitFor } from "./processes.ts";
import { walk } from "./slack-limits.ts";
import { type Delivered, openSlackProxy, type SlackProxy } from "./slack-proxy.ts";

export interface SlackHarness extends ChannelHarness {
  proxy: SlackProxy;
  person: NonNullable<ChannelHarness["person"]>;
  /** All messages in the emulator, including replies. */
  stored(): Promise<StoredMessage[]>;
  find(place: MessageRef): Promise<StoredMessage>;
}

/** Our channel with the real SDKs, the fault proxy, the emulator. */
export async function openSlackHarness(
  slack: LocalSlack,
  options: Partial<SlackOptions> = {},
): Promise<SlackHarness> {
  await slack.reset();
  const proxy = await openSlackProxy(slack.url);
  const opened: Channel[] = [];
  const acts = new Map<string, Delivered>();
  const isChannel = Boolean(options.channel);

  function open(): Channel {
    const channel = openSlackChannel({
      botToken: tokens.bot,
      appToken: tokens.app,
      apiUrl: proxy.apiUrl,
      channel: "",
      user: workspace.owner,
      log: silentLog,
      clock: systemClock,
      pollMs: { first: 50, max: 200 },
      ...options,
    });
    opened.push(channel);
    return channel;
  }

  async function stored(): Promise<StoredMessage[]> {
    const channel = isChannel ? (options.channel ?? "") : await slack.direct();
    return channel ? slack.messages(channel) : [];
  }

  async function find(place: MessageRef): Promise<StoredMessage> {
    const [channel = "", ts] = place.split(":");
    const message = (await slack.messages(channel)).find((each) => each.ts === ts);
    if (!message) throw new Error(`no message at ${place}`);
    return message;
  }

  /** Performs an action; one with the id of an earlier action is redelivered as Slack does. */
  async function once(actId: string, act: () => Promise<void>): Promise<void> {
    const earlier = acts.get(actId);
    if (earlier) return proxy.redeliver(earlier);
    const before = proxy.delivered.length;
    await act();
    const latest = proxy.delivered.slice(before).at(-1);
    if (latest) acts.set(actId, latest);
  }

  return {
    channel: open(),
    proxy,
    reopen: open,
    stored,
    find,
    async messages() {
      const all = await stored();
      const top = all.filter((each) => each.user === workspace.bot && !each.thread_ts && !each.ephemeral_to);
      return Promise.all(top.map((each) => show(slack, each, all)));
    },
    person: {
      press: (place, card, answer, actId) =>
        once(actId, async () => {
          const message = await find(place);
          await pressFor(slack, message, card.kind, answer);
        }),
      say: (place, text, actId) =>
        once(actId, async () => {
          const [channel, thread] = place?.split(":") ?? [await slack.direct()];
          const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
          await slack.say({ channel: channel ?? "", text: escaped, ...(thread ? { thread } : {}) });
        }),
      async told() {
        return (await stored())
          .filter(
            (each) => each.user === workspace.bot && (each.thread_ts || each.ephemeral_to) && !each.files,
          )
          .map((each) => textOf(each));
      },
    },
    async fail(how) {
      if (how === "outage") proxy.faults.isDown = true;
      if (how === "limited") proxy.faults.limitedSeconds = 2;
      if (how === "refused") proxy.faults.bot = "xoxb-another";
    },
    async repair() {
      Object.assign(proxy.faults, { isDown: false, limitedSeconds: 0, bot: tokens.bot });
    },
    async close() {
      await Promise.all(opened.map((channel) => channel.stop()));
      await proxy.close();
    },
  };
}

/** Presses the controls on the card that give this answer. */
export async function pressFor(
  slack: LocalSlack,
  message: StoredMessage,
  kind: Card["kind"],
  answer: Answer,
): Promise<void> {
  const { channel, ts } = message;
  const press = (label: string): Promise<void> =>
    slack.act({ channel, ts, action: pressable(message, label) });
  if (answer.type === "allow")
    return press(
      answer.scope === "session" ? "Allow for session" : kind === "plan" ? "Approve" : "Allow once",
    );
  if (answer.type === "deny") {
    await press(kind === "plan" ? "Keep planning …" : "Deny …");
    return slack.submit({ reason: answer.reason });
  }
  const choosers = (message.blocks ?? []).filter((block) => String(block.block_id).startsWith("choose:"));
  if (choosers.length === 0) return press(answer.answers[0]?.[0] ?? "");
  for (const block of choosers) {
    const index = Number(block.block_id.split(":")[1]);
    await slack.act({ channel, ts, action: choose(block, answer.answers[index] ?? []) });
  }
  return press("Send");
}

export function pressable(message: StoredMessage, label: string): Record<string, unknown> {
  for (const block of message.blocks ?? [])
    for (const element of block.type === "actions" ? block.elements : [])
      if (element.type === "button" && element.text.text === label)
        return { ...element, type: "button", block_id: block.block_id ?? "b" };
  throw new Error(`there is no button ${label}`);
}

function choose(block: any, labels: string[]): Record<string, unknown> {
  const element = block.accessory ?? block.elements[0];
  const options = element.options.filter((option: any) => labels.includes(option.text.text));
  const { type, action_id } = element;
  const isMulti = type === "checkboxes" || type === "multi_static_select";
  return {
    type,
    action_id,
    block_id: block.block_id,
    ...(isMulti ? { selected_options: options } : { selected_option: options[0] }),
  };
}

export async function show(
  slack: LocalSlack,
  message: StoredMessage,
  all: StoredMessage[],
): Promise<ShownMessage> {
  const files = all.filter((each) => each.thread_ts === message.ts).flatMap((each) => each.files ?? []);
  const live = (message.text.match(/<[^>]*>/g) ?? []) as string[];
  walk(message.blocks ?? [], (node) => {
    if (node.type === "mrkdwn") live.push(...(String(node.text).match(/<[^>]*>|`/g) ?? []));
    if (["link", "user", "broadcast", "channel", "usergroup"].includes(node.type)) live.push(node.type);
  });
  return {
    text: textOf(message),
    files: await Promise.all(files.map((file) => slack.file(file.url_private))),
    canAct: (message.blocks ?? []).some((block) => block.type === "actions"),
    live,
  };
}

export function textOf(message: StoredMessage): string {
  const parts: string[] = [];
  walk(message.blocks ?? [], (node) => {
    if (["plain_text", "mrkdwn", "text"].includes(node.type)) parts.push(node.text);
  });
  return parts.length > 0 ? parts.join("\n") : message.text;
}

/** Waits until the channel is ready. */
export async function ready(channel: Channel): Promise<void> {
  await waitFor(() => channel.health().state === "ready", {
    describe: () => `ready, not ${JSON.stringify(channel.health())}`,
  });
}
