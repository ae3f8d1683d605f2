import * as fc from "fast-check";
import { expect } from "vitest";
import {
  drawCard as drawMatrixCard,
  drawNotice as drawMatrixNotice,
  drawOutcome as drawMatrixOutcome,
} from "../../src/channels/matrix/draw.ts";
import { readTextReply, interpretReply } from "../../src/channels/matrix/read-reply.ts";
import { drawCard, drawNotice, drawOutcome } from "../../src/channels/slack/draw-card.ts";
import { blockActions, messageEvent, viewSubmission } from "../../src/channels/slack/inbound.ts";
import { escapeText, unescapeText } from "../../src/channels/slack/plain.ts";
import { readAction, readSubmission } from "../../src/channels/slack/read-action.ts";
import { cleanAnswer, parseAnswerText } from "../../src/domain/access/parse-answer-text.ts";
import type { Card, Notice, Outcome } from "../../src/domain/ask/card.ts";
import {
  findNames,
  readMessage,
  readLeaseFields,
  readTaskFields,
  toContent,
} from "../../src/domain/mail/message.ts";
import { listRooms, readEvents } from "../../src/matrix-client/sync-response.ts";
import { fuzz } from "./fuzz.ts";
import { changed, object, text } from "./hostile.ts";

const option = fc.record({ label: text, description: fc.option(text) });
const prompt = fc.record({
  text,
  header: fc.option(text),
  options: fc.array(option, { maxLength: 5 }),
  isMulti: fc.boolean(),
});
const asker = fc.record({
  project: text,
  agent: text,
  sessionId: fc.option(text),
  subagent: fc.option(text),
});
const card: fc.Arbitrary<Card> = fc.record({
  questionId: text,
  ticket: text,
  kind: fc.constantFrom("choice", "permission", "plan"),
  headline: text,
  asker,
  context: fc.option(text),
  prompts: fc.array(prompt, { maxLength: 4 }),
  subject: fc.option(
    fc.record({
      toolName: text,
      format: fc.constantFrom("command", "diff", "json", "markdown"),
      text,
      hiddenSecrets: fc.nat(3),
    }),
  ),
  danger: fc.option(text),
  claimedBy: fc.option(text),
  sessionRule: fc.option(fc.record({ toolName: text, ruleContent: fc.option(text) })),
  earlier: fc.option(fc.record({ answer: text, at: fc.nat() })),
});
const outcome: fc.Arbitrary<Outcome> = fc.record({ state: fc.constantFrom("answered", "expired"), text });
const notice: fc.Arbitrary<Notice> = fc.record({
  kind: fc.constantFrom("done", "news"),
  level: fc.constantFrom("info", "error"),
  headline: text,
  body: text,
  asker,
});

fuzz(
  "cards in Slack",
  fc.tuple(card, outcome, notice, fc.boolean()),
  ([open, settled, news, isInteractive]) => {
    for (const { blocks, text: preview } of [
      drawCard(open, { key: "k", isInteractive }),
      drawOutcome(open, settled),
      drawNotice(news, "k"),
    ]) {
      expect(blocks.length).toBeLessThanOrEqual(50);
      expect(preview).not.toMatch(/<[!@#]/);
    }
  },
);

fuzz("text in Slack", text, (given) => {
  expect(escapeText(given)).not.toMatch(/[<>]/);
  unescapeText(given);
});

fuzz("cards in Matrix", fc.tuple(card, outcome, notice), ([open, settled, news]) => {
  for (const drawn of [drawMatrixCard(open).text, drawMatrixOutcome(open, settled), drawMatrixNotice(news)])
    expect(Buffer.byteLength(drawn)).toBeLessThan(60_000);
});

const pressed = {
  type: "block_actions",
  user: { id: "U1", team_id: "T" },
  trigger_id: "t",
  channel: { id: "C" },
  message: { ts: "1.2" },
  state: { values: { "choose:0": { "choose:0": { selected_option: { value: "1" } } } } },
  actions: [{ action_id: "submit", value: "ticket", text: { text: "Send" } }],
};
const submitted = {
  type: "view_submission",
  user: { id: "U1" },
  trigger_id: "t",
  view: {
    private_metadata: JSON.stringify({ act: "words", ticket: "t", channel: "C", thread: "1", chosen: [[0]] }),
    state: { values: { reason: { reason: { value: "no" } } } },
  },
};
const written = {
  event: { type: "message", channel: "C", user: "U1", text: "1", ts: "1.2", thread_ts: "1.1" },
};

fuzz(
  "presses, forms and messages from Slack",
  fc.tuple(changed<unknown>([pressed, submitted, written]), card),
  ([payload, open]) => {
    const action = blockActions.safeParse(payload);
    if (action.success) readAction(action.data, () => open);
    const form = viewSubmission.safeParse(payload);
    if (form.success) readSubmission(form.data, () => open);
    messageEvent.safeParse(payload);
  },
);

const event = {
  event_id: "$e",
  type: "m.room.message",
  sender: "@a:b",
  origin_server_ts: 1,
  content: {
    msgtype: "m.text",
    body: "allow ABC123",
    "com.rookery": { id: "1", agent: "a", hops: 1 },
    "m.relates_to": { rel_type: "m.thread", event_id: "$p", "m.in_reply_to": { event_id: "$p" } },
    "com.claudematrix.task": { id: "t", title: "x", state: "open" },
  },
};
const answer = {
  next_batch: "s1",
  rooms: {
    join: {
      "!r:h": { timeline: { events: [event], limited: true, prev_batch: "s0" }, ephemeral: { events: [] } },
    },
    invite: { "!i:h": { invite_state: { events: [{ ...event, type: "m.room.member" }] } } },
  },
};

fuzz("sync responses of a homeserver", changed<unknown>([answer.rooms]), (rooms) => {
  listRooms({ next_batch: "s1", rooms });
});

fuzz("messages of a homeserver", fc.tuple(changed<object>([event]), card), ([given, open]) => {
  for (const one of readEvents([given])) {
    const replied = readTextReply("!r:h", one);
    if (replied) interpretReply(replied, [{ place: "!r:h $p", card: open, postedAt: 1 }]);
    const message = readMessage(one.type, one.content);
    readTaskFields(message?.extra ?? null);
    readLeaseFields(message?.extra ?? null);
  }
});

fuzz(
  "typed answers",
  fc.tuple(text, card, fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 3 })),
  ([said, open, answers]) => {
    parseAnswerText(said, open, { decide: "Press it.", several: "Use the form." });
    cleanAnswer({ type: "answers", answers });
    findNames(said);
  },
);

fuzz("messages of agents", fc.tuple(text, object), ([body, extra]) => {
  const base = {
    id: "1",
    agent: "a",
    machine: { id: "M1", name: "m" },
    kind: "text" as const,
    hops: 0,
    replyToEvent: null,
    mentions: [],
    names: [],
  };
  readMessage("m.room.message", toContent({ ...base, body, extra }));
});
