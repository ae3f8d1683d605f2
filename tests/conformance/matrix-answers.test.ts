import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMatrixChannel } from "../../src/channels/matrix/channel.ts";
import { makeMatrixClient } from "../../src/matrix-client/client.ts";
import { openAudit } from "../../src/daemon/ask/audit.ts";
import { makeInbox } from "../../src/daemon/ask/inbox.ts";
import { openPairing } from "../../src/daemon/ask/pairing.ts";
import { openPresence, type PresenceWatch } from "../../src/daemon/ask/presence.ts";
import { openReach, type ReachControl } from "../../src/daemon/ask/open-reach.ts";
import { openBus } from "../../src/daemon/runtime/bus.ts";
import { silentLog } from "../../src/shared/log.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { type AskedQuestions, openAskedQuestions } from "../support/asked-questions.ts";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";

/** From a question to the decision and back, with all real parts except a separate process. */
let server: TestServer;
let store: Store;
let questions: AskedQuestions;
let presence: PresenceWatch;
let reaching: ReachControl;
let ada: Person;
let eve: Person;
let room = "";
let acts = 0;

beforeAll(async () => {
  server = await openTestServer();
  const bot = await server.register("rookery");
  [ada, eve] = [await server.register("ada"), await server.register("eve")];
  const clock = Date.now;
  store = openStore(":memory:", clock);
  const bus = openBus(silentLog, 0);
  questions = openAskedQuestions(store, bus, clock);
  const terminals = { lastKeypressAt: () => null, hasPresenceFile: () => false };
  presence = openPresence({ store, bus, clock, terminals, awayMs: 0, quietHours: undefined });
  const audit = openAudit(store, silentLog, clock);
  const pairing = openPairing(store, audit, clock);
  let since: string | undefined;
  const ending = new AbortController();
  const channel = makeMatrixChannel({
    signIn: async () =>
      makeMatrixClient({ url: server.url, accessToken: bot.token }, bot.userId, ending.signal),
    forget() {},
    people: () => store.access.listPeople().map(({ sender }) => sender),
    loadSince: () => since,
    saveSince: (next) => void (since = next),
    isBot: () => false,
    mayInvite: () => true,
    isForUs: () => true,
  });
  reaching = openReach({
    store,
    bus,
    log: silentLog,
    clock,
    questions,
    presence,
    channels: [channel],
    inbox: makeInbox({ store, questions, pairing, audit, clock }),
    wanted: { done: true, failed: true, idle: true, "needs-input": true, news: true },
  });
  presence.start();
  reaching.start();
  // A person sends the code from the terminal in a direct room that they created.
  const opened = await ada.call("POST", "createRoom", { invite: [bot.userId], is_direct: true });
  room = opened.json.room_id;
  await write(ada, room, { body: pairing.offer("matrix").code.toLowerCase() });
  await waitFor(() => store.access.listPeople().length === 1, { describe: "ada to be paired" });
});
afterAll(async () => {
  presence.stop();
  await reaching.stop();
  await server.close();
});

const write = (person: Person, roomId: string, content: object, type = "m.room.message") =>
  person.call("PUT", `rooms/${encodeURIComponent(roomId)}/send/${type}/act${++acts}`, {
    msgtype: "m.text",
    ...content,
  });
const under = (eventId: string) => ({ "m.relates_to": { "m.in_reply_to": { event_id: eventId } } });

async function timeline(): Promise<{ event_id: string; content: any }[]> {
  const path = `rooms/${encodeURIComponent(room)}/messages?dir=b&limit=100`;
  return (await ada.call("GET", path)).json.chunk.toReversed();
}

const shown = (words: string): Promise<{ id: string; body: string }> =>
  waitFor(
    async () => {
      const found = (await timeline()).findLast(({ content }) => content.body?.includes(words));
      return found && { id: found.event_id, body: String(found.content.body) };
    },
    { describe: `a message with: ${words}` },
  );

describe("a question sent to Matrix", () => {
  test("is answered by a number, and the card shows the outcome", async () => {
    questions.ask("q-choice");
    const card = await shown("2. SQLite");
    await write(ada, room, { body: "2", ...under(card.id) });
    await waitFor(() => questions.answered("q-choice"));
    expect(questions.answered("q-choice")).toMatchObject({
      answer: { type: "answers", answers: [["SQLite"]] },
      answerer: { place: "matrix", by: "the user" },
    });
    await waitFor(async () =>
      (await timeline()).some(({ content }) => content["m.relates_to"]?.rel_type === "m.replace"),
    );
  });

  test("comes to the room in which the person paired, as announced there", async () => {
    await shown("I will ask you here");
    questions.ask("q-here");
    await shown("2. SQLite");
    expect(Object.keys((await ada.call("GET", "sync?timeout=0")).json.rooms?.invite ?? {})).toEqual([]);
  });

  test("asks back in the words of Matrix if the reply is no answer", async () => {
    questions.ask("q-hints", { command: "make nest" });
    const card = await shown("make nest");
    await write(ada, room, { body: "yes", ...under(card.id) });
    await shown("reply with one of the lines on the card, with its code");
    questions.ask("q-number");
    const choice = await shown("2. SQLite");
    await write(ada, room, { body: "9", ...under(choice.id) });
    await shown("There is no option 9");
    expect([questions.answered("q-hints"), questions.answered("q-number")]).toEqual([undefined, undefined]);
    expect((await timeline()).some(({ content }) => /button/i.test(content.body ?? ""))).toBe(false);
  });

  test("is approved only by the card's code: not by yes, a number, a reaction or another person", async () => {
    questions.ask("q-permission", { command: "mkdir build" });
    const card = await shown("mkdir build");
    const code = /^ {2}allow ([A-Z0-9]{6})$/m.exec(card.body)?.[1] ?? "no code";
    for (const body of ["yes", "1", "allow", `allow ${code} if you must`, "allow ABCDEF"])
      await write(ada, room, { body, ...under(card.id) });
    const reaction = { "m.relates_to": { rel_type: "m.annotation", event_id: card.id, key: "👍" } };
    await write(ada, room, reaction, "m.reaction");
    // Messages that we send ourselves, from any account, do not come from a person.
    await write(ada, room, { body: `allow ${code}`, "com.rookery": { v: 1, id: "x" } });
    await ada.call("POST", `rooms/${encodeURIComponent(room)}/invite`, { user_id: eve.userId });
    await eve.call("POST", `join/${encodeURIComponent(room)}`, {});
    await write(eve, room, { body: `allow ${code}` });
    await shown("I do not know you yet");
    expect(questions.answered("q-permission")).toBeUndefined();
    await write(ada, room, { body: `allow ${code}` });
    await waitFor(() => questions.answered("q-permission"));
    expect(questions.answered("q-permission")).toMatchObject({
      answer: { type: "allow", scope: "once" },
      answerer: { place: "matrix", by: "the user" },
    });
  });
});
