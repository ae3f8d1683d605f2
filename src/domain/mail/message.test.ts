import { describe, expect, test } from "vitest";
import { makePairKey, parseAddress } from "./address.ts";
import { readMessage, toContent } from "./message.ts";

const message = {
  id: "m1",
  agent: "api-jay",
  machine: { id: "ROOKERY1", name: "laptop" },
  body: "The API is ready.",
  kind: "text",
  hops: 2,
  extra: null,
  replyToEvent: "$e",
  mentions: ["@api-rook:rookery.local"],
  names: ["api-rook"],
} as const;

test("a message is read as it was written", () => {
  expect(
    readMessage(
      "m.room.message",
      toContent({ ...message, mentions: [...message.mentions], names: [...message.names] }),
    ),
  ).toEqual({
    claimedId: "m1",
    claimedAgent: "api-jay",
    claimedMachine: { id: "ROOKERY1", name: "laptop" },
    body: "The API is ready.",
    kind: "text",
    hops: 2,
    replyToEvent: "$e",
    mentions: ["@api-rook:rookery.local"],
    names: ["api-rook"],
    ownNames: ["api-rook"],
    extra: null,
    hasMessage: false,
  });
});

describe("messages of others", () => {
  const text = (content: object) =>
    readMessage("m.room.message", { msgtype: "m.text", body: "hi", ...content });
  test.each([
    ["a plain text", {}, { body: "hi", hops: 0, mentions: [], names: [], claimedId: null }],
    ["a quoted answer", { body: "> <@a:b> what?\n> more\n\nyes" }, { body: "yes" }],
    ["only a quote", { body: "> only this" }, { body: "> only this" }],
    ["a picture", { msgtype: "m.image", body: "cat.png" }, { body: "[a picture: cat.png]" }],
    ["an odd kind", { msgtype: "constructor" }, { body: "hi" }],
    ["hops that are no count", { "com.rookery": { hops: -3.5 } }, { hops: 0 }],
    ["hops beyond all measure", { "com.rookery": { hops: 2 ** 40 } }, { hops: 1_000 }],
    [
      "our field in another shape",
      { "com.rookery": [1], "m.mentions": "x", "m.relates_to": null },
      { body: "hi" },
    ],
    [
      "names in it",
      { body: "@api-jay and @Web-Rook: mail a@b.c. Done, @api-jay." },
      { names: ["api-jay", "web-rook"] },
    ],
    ["whom it is for", { "m.mentions": { user_ids: ["@a:b", 7, ""] } }, { mentions: ["@a:b"] }],
    ["a long text", { body: "x".repeat(100_000) }, { body: "x".repeat(60_000) }],
    ["a task", { "com.claudematrix.task": { task_id: "t" } }, { kind: "task" }],
  ])("%s is read", (_what, content, expected) => {
    expect(text(content)).toMatchObject(expected);
  });
  test.each([
    [
      "an edit",
      "m.room.message",
      { body: "* hi", "m.relates_to": { rel_type: "m.replace", event_id: "$x" } },
    ],
    ["an empty text", "m.room.message", { body: " " }],
    ["a text that is none", "m.room.message", { body: 7 }],
    ["a reaction", "m.reaction", { body: "hi" }],
    ["something encrypted", "m.room.encrypted", { body: "hi" }],
  ])("%s is no message", (_what, type, content) => {
    expect(readMessage(type, content)).toBeUndefined();
  });
});

test.each([
  ["api-jay", { kind: "agent", name: "api-jay" }],
  ["@api-jay", { kind: "agent", name: "api-jay" }],
  ["@api-jay:rookery.local", { kind: "user", userId: "@api-jay:rookery.local" }],
  ["ada", { kind: "user", userId: "@ada:rookery.local" }],
  ["human", { kind: "user", userId: "@ada:rookery.local" }],
  ["everyone", { kind: "project" }],
  ["Project", { kind: "project" }],
  ["#design", { kind: "room", name: "#design" }],
  ["design", { kind: "room", name: "design" }],
  ["!abc:rookery.local", { kind: "room", name: "!abc:rookery.local" }],
])("%s is %j", (text, address) => {
  const owner = { name: "ada", userId: "@ada:rookery.local" };
  expect(parseAddress(text, (name) => name === "api-jay", owner)).toEqual(address);
});

test("two users share one room, in either order", () => {
  expect(makePairKey("@a:x", "@b:x")).toBe(makePairKey("@b:x", "@a:x"));
});
