import { describe, expect, test } from "vitest";
import { makeCardCode } from "../../src/channels/card-code.ts";
import { makeMatrixChannel } from "../../src/channels/matrix/channel.ts";
import { makeMatrixClient } from "../../src/matrix-client/client.ts";
import { parseMessageRef, interpretReply } from "../../src/channels/matrix/read-reply.ts";
import type { Channel, MessageRef } from "../../src/channels/channel.ts";
import type { Card } from "../../src/domain/ask/card.ts";
import type { Answer } from "../../src/domain/ask/question.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { openTestServer } from "../support/homeserver.ts";
import {
  type ChannelHarness,
  describeChannel,
  makeCard,
  makePermission,
  type ShownMessage,
} from "./channel-contract.ts";

const faults = {
  outage: "hang up",
  limited: { status: 429, body: { errcode: "M_LIMIT_EXCEEDED", error: "slow down", retry_after_ms: 700 } },
  refused: { status: 401, body: { errcode: "M_UNKNOWN_TOKEN", error: "who are you?" } },
} as const;

/** The real homeserver, and a person who uses it through the client API. */
async function openHarness(): Promise<ChannelHarness> {
  const server = await openTestServer();
  const proxy = await openFaultProxy(server.url);
  const [bot, ada] = [await server.register("rookery"), await server.register("ada")];
  let since: string | undefined;
  const open = (): Channel =>
    makeMatrixChannel({
      signIn: async () =>
        makeMatrixClient(
          { url: proxy.url, accessToken: bot.token },
          bot.userId,
          new AbortController().signal,
        ),
      forget() {},
      people: () => [ada.userId],
      loadSince: () => since,
      saveSince: (next) => void (since = next),
      isBot: () => false,
      mayInvite: () => true,
      isForUs: () => true,
    });

  const roomsOf = async (kind: "join" | "invite"): Promise<[string, any][]> =>
    Object.entries((await ada.call("GET", "sync?timeout=0")).json.rooms?.[kind] ?? {});
  const enter = async (): Promise<void> => {
    for (const [roomId] of await roomsOf("invite"))
      await ada.call("POST", `join/${encodeURIComponent(roomId)}`, {});
  };
  const eventsOf = async (roomId: string): Promise<any[]> => {
    const path = `rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=100`;
    return (await ada.call("GET", path)).json.chunk.toReversed();
  };
  const write = (roomId: string, content: object, actId: string) =>
    ada.call("PUT", `rooms/${encodeURIComponent(roomId)}/send/m.room.message/${actId}`, content);
  const relate = (eventId: string) => ({ "m.in_reply_to": { event_id: eventId } });
  const say = async (place: MessageRef | null, text: string, actId: string): Promise<void> => {
    await enter();
    const { roomId, eventId } =
      place === null
        ? { roomId: (await roomsOf("join"))[0]?.[0] ?? "", eventId: "" }
        : parseMessageRef(place);
    const content = {
      msgtype: "m.text",
      body: text,
      ...(eventId ? { "m.relates_to": relate(eventId) } : {}),
    };
    await write(roomId, content, actId);
  };

  return {
    channel: open(),
    reopen: open,
    async messages() {
      await enter();
      const shown: (ShownMessage & { id: string })[] = [];
      let files: string[] = [];
      for (const [roomId] of await roomsOf("join"))
        for (const { event_id: id, sender, type, content } of await eventsOf(roomId)) {
          if (sender !== bot.userId || type !== "m.room.message") continue;
          const relation = content["m.relates_to"] ?? {};
          if (relation["m.in_reply_to"]) continue;
          if (content.msgtype === "m.file") {
            const path = content.url.replace("mxc://", "/_matrix/client/v1/media/download/");
            files.push((await ada.call("GET", path)).text);
            continue;
          }
          const now = content["m.new_content"] ?? content;
          const live = ["formatted_body", "format"].filter((field) => field in now || field in content);
          if (JSON.stringify(content["m.mentions"]) !== "{}") live.push("mentions");
          const text: string = now.body;
          const message = { id, text, files, live, canAct: /Reply with|^ {2}allow [A-Z0-9]{6}$/m.test(text) };
          const edited = shown.find((each) => each.id === relation.event_id);
          if (edited) Object.assign(edited, { ...message, id: edited.id, files: edited.files });
          else shown.push(message);
          files = [];
        }
      return shown;
    },
    person: {
      press: (place, card, answer, actId) => say(place, typed(card, answer), actId),
      say,
      async told() {
        const all = await Promise.all((await roomsOf("join")).map(([roomId]) => eventsOf(roomId)));
        return all
          .flat()
          .filter(
            ({ sender, content }) => sender === bot.userId && content["m.relates_to"]?.["m.in_reply_to"],
          )
          .map(({ content }) => content.body);
      },
    },
    fail: async (how) => proxy.answer(faults[how]),
    repair: async () => proxy.answer(undefined),
    async close() {
      await proxy.close();
      await server.close();
    },
  };
}

/** The text that a person types for an answer. */
function typed(card: Card, answer: Answer): string {
  const code = makeCardCode(card.ticket);
  if (answer.type === "allow") return answer.scope === "once" ? `allow ${code}` : `allow session ${code}`;
  if (answer.type === "deny") return `deny ${code} ${answer.reason}`;
  const labels = card.prompts[0]?.options.map(({ label }) => label) ?? [];
  return answer.answers
    .flat()
    .map((label) => String(labels.indexOf(label) + 1))
    .join(", ");
}

describeChannel("Matrix", openHarness);

describe("a reply typed on Matrix", () => {
  const permission = makePermission("rm -rf x", { ticket: "t-permission" });
  const choice = makeCard({ ticket: "t-choice" });
  const open = [
    { place: "!r $permission", card: permission, postedAt: 0 },
    { place: "!r $choice", card: choice, postedAt: 0 },
  ];
  const code = makeCardCode("t-permission");
  const text = (said: string) => ({ content: { type: "text", text: said } });

  test.each<[string, string | null, object]>([
    [
      `allow ${code}`,
      null,
      { target: { ticket: "t-permission" }, content: { type: "allow", scope: "once" } },
    ],
    [`Allow Session ${code.toLowerCase()}`, null, { content: { type: "allow", scope: "session" } }],
    [`deny ${code}`, null, { content: { type: "deny", reason: "" } }],
    [`deny ${code} not now`, "!r $permission", { content: { type: "deny", reason: "not now" } }],
    // None of these is a decision.
    [`allow ${code} but only once more`, null, text(`allow ${code} but only once more`)],
    [`allow ${makeCardCode("another")}`, "!r $permission", text(`allow ${makeCardCode("another")}`)],
    [`allow ${makeCardCode("t-choice")}`, "!r $choice", text(`allow ${makeCardCode("t-choice")}`)],
    ["allow", "!r $permission", text("allow")],
    ["yes", "!r $permission", text("yes")],
    ["1", "!r $permission", text("1")],
    ["👍", "!r $permission", text("👍")],
    ["yes", null, { target: null, ...text("yes") }],
    // A number selects an option.
    [
      "2",
      "!r $choice",
      { target: { ticket: "t-choice" }, content: { type: "answers", answers: [["SQLite"]] } },
    ],
    ["2", null, { target: { ticket: "t-choice" } }],
    ["3", "!r $choice", text("3")],
    ["1 2", "!r $choice", text("1 2")],
  ])("%j under %s", (said, place, expected) => {
    expect(interpretReply({ text: said, place }, open)).toMatchObject(expected);
  });

  test("may have several numbers for multiple choices or multiple questions", () => {
    const [prompt] = choice.prompts;
    if (!prompt) throw new Error("a prompt is needed");
    const ask = (prompts: Card["prompts"]) => [{ place: "!r $c", card: makeCard({ prompts }), postedAt: 0 }];
    const answers = (said: string, prompts: Card["prompts"]) =>
      interpretReply({ text: said, place: "!r $c" }, ask(prompts)).content;
    const multi = { ...prompt, isMulti: true };
    expect(answers("1,2", [multi])).toEqual({ type: "answers", answers: [["Postgres", "SQLite"]] });
    expect(answers("2 1", [prompt, prompt])).toEqual({
      type: "answers",
      answers: [["SQLite"], ["Postgres"]],
    });
    expect(answers("2", [prompt, prompt])).toEqual({ type: "text", text: "2" });
  });
});
