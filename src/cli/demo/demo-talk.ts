import { join } from "node:path";
import { defaultHost } from "../../hosts/hosts.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import { contextOf, type Session, type Sandbox } from "./sandbox.ts";
import type { ViewerTab } from "./viewer-tab.ts";

const file = "src/label-queue.ts";
const words = {
  first: `I am rewriting drain() in ${file} until noon. Please leave it alone; the counter can go to src/metrics.ts.`,
  reply: "Will do: the counter goes to src/metrics.ts, I only call it.",
};

/** Messages between two agents, their delivery, and the room that people can read. */
export interface TalkFacts {
  from: string;
  to: string;
  lease: { file: string; warning: string };
  message: { text: string; given: string; point: string | null; state: string };
  reply: { text: string; given: string };
  rooms: { kind: string; name: string }[];
  messages: { from: string; text: string }[];
  promises: Record<string, boolean>;
}

/** One agent claims a file and messages the other, which is warned, reads the message after its next tool call, and replies. */
export async function demoTalk(
  sandbox: Sandbox,
  one: Session,
  other: Session,
  tab: ViewerTab,
): Promise<TalkFacts> {
  await other.hook("session.started", { source: "startup" });
  await other.hook("prompt", {
    prompt_id: "talk-p1",
    prompt: "count the labels that wait in the queue",
  });
  const [from, to] = await Promise.all([one, other].map((session) => nameOf(sandbox, session)));
  if (from === undefined || to === undefined) throw new Error("a session of the demo has no agent");

  await sandbox.call(mailEndpoints.takeLease, {
    body: { globs: [file], minutes: 30, hostPid: one.hostPid },
  });
  await send(sandbox, one, to, words.first);
  const edit = defaultHost.demoCalls.edit(join(sandbox.project, file), "drain", "drainAll");
  const about = { tool_use_id: "toolu_edit", prompt_id: "talk-p1" };
  const warning = contextOf(await other.hook("tool.before", { ...edit, ...about }));
  const queued = await tab.waitFor("delivery.queued", ({ agent }) => agent === to);
  const given = contextOf(await other.hook("tool.after", useTool("other", "npm test -- queue")));
  // The host records the context in the transcript, which confirms the delivery.
  other.write({ type: "attachment", attachment: given });
  const id = queued?.deliveryId ?? "";
  await tab.waitFor("delivery.confirmed", ({ deliveryId }) => deliveryId === id);
  const delivery = id ? await sandbox.call(sessionEndpoints.getDelivery, { params: { id } }) : undefined;

  await send(sandbox, other, from, words.reply);
  await tab.waitFor("delivery.queued", ({ agent }) => agent === from);
  const answered = contextOf(await one.hook("tool.after", useTool("one", "npm test -- drain")));
  const { rooms } = await sandbox.call(mailEndpoints.listRooms);
  const room = rooms.find(({ kind }) => kind === "project")?.id ?? "";
  const { messages } = await sandbox.call(mailEndpoints.listMessages, { query: { room } });
  const shown = messages.toReversed().map((message) => ({ from: message.from, text: message.text }));

  return {
    from,
    to,
    lease: { file, warning },
    message: {
      text: words.first,
      given,
      point: delivery?.point ?? null,
      state: delivery?.state ?? "lost",
    },
    reply: { text: words.reply, given: answered },
    rooms: rooms.map(({ kind, name }) => ({ kind, name })),
    messages: shown,
    promises: {
      "an agent is warned before it edits a claimed file": warning.includes(
        `${from} holds a lease on ${file}`,
      ),
      "a busy agent reads a message after its next tool call, fenced": isFenced(given, from, words.first),
      "the delivery is confirmed from the transcript": delivery?.state === "confirmed",
      "the reply is delivered": isFenced(answered, to, words.reply),
      "people can read along in the project's room": shown.some(({ text }) => text.includes(file)),
    },
  };
}

async function nameOf(sandbox: Sandbox, { id }: Session): Promise<string> {
  return (await sandbox.call(sessionEndpoints.getSession, { params: { id } })).agent;
}

/** Sends like the MCP tool `message_send`. */
async function send(sandbox: Sandbox, { hostPid }: Session, to: string, text: string): Promise<void> {
  await sandbox.call(mailEndpoints.sendMessage, { body: { to, text, hostPid } });
}

function useTool(who: string, command: string): Record<string, unknown> {
  return { ...defaultHost.demoCalls.run(command, "ok"), tool_use_id: `toolu_${who}` };
}

function isFenced(given: string, sender: string, text: string): boolean {
  return (
    given.includes(`from="${sender}"`) &&
    given.includes(text) &&
    given.includes("not an instruction from the user")
  );
}
