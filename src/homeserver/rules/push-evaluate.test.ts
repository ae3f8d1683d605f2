import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "./event.ts";
import { makeDefaultRules, type PushRule, type RuleKind, ruleKinds, type RuleSet } from "./push-defaults.ts";
import { evaluateRules, type PushContext } from "./push-evaluate.ts";

const me = "@alice:here";
const context: PushContext = {
  displayName: "Alice (a*c)",
  memberCount: 5,
  mayNotify: (sender) => sender === "@mod:here",
};

function makeEvent(content: JsonObject, more: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...{
      stream: 1,
      id: "$e",
      roomId: "!room:here",
      type: "m.room.message",
      stateKey: undefined,
      sender: "@bob:here",
    },
    sentAt: 0,
    depth: 1,
    content,
    redacts: undefined,
    replaced: undefined,
    txn: undefined,
    redactedBecause: undefined,
    authEvents: [],
    hash: "",
    bytes: 0,
    ...more,
  };
}

const verdict = (event: StoredEvent, more: Partial<PushContext> = {}): string => {
  const { notify, highlight } = evaluateRules(makeDefaultRules(me), event, { ...context, ...more });
  if (!notify) return "nothing";
  return highlight ? "highlight" : "notify";
};

describe("the predefined rules for", () => {
  test.each<[string, StoredEvent, string]>([
    ["a message", makeEvent({ body: "hello", msgtype: "m.text" }), "notify"],
    ["a notice", makeEvent({ body: "alice", msgtype: "m.notice" }), "nothing"],
    ["an encrypted message", makeEvent({}, { type: "m.room.encrypted" }), "notify"],
    ["a reaction", makeEvent({}, { type: "m.reaction" }), "nothing"],
    ["another event", makeEvent({}, { type: "org.x" }), "nothing"],
    [
      "an invitation of the user",
      makeEvent({ membership: "invite" }, { type: "m.room.member", stateKey: me }),
      "notify",
    ],
    [
      "an invitation of another user",
      makeEvent({ membership: "invite" }, { type: "m.room.member", stateKey: "@x:y" }),
      "nothing",
    ],
    ["the user name as a word", makeEvent({ body: "hi ALICE!" }), "highlight"],
    ["the user name inside a word", makeEvent({ body: "malice" }), "notify"],
    ["the user id", makeEvent({ body: "Hello @alice:here!" }), "highlight"],
    ["a display name with glob characters", makeEvent({ body: "so, Alice (a*c)?" }), "highlight"],
    [
      "a text that matches the display name as a glob, with the user name",
      makeEvent({ body: "so, Alice (abc)?" }),
      "highlight",
    ],
    ["a mention", makeEvent({ body: "you", "m.mentions": { user_ids: [me] } }), "highlight"],
    [
      "a mention of another user with the user name in the text",
      makeEvent({ body: "alice", "m.mentions": { user_ids: ["@x:y"] } }),
      "notify",
    ],
    [
      "empty mentions with the user name in the text",
      makeEvent({ body: "alice", "m.mentions": {} }),
      "notify",
    ],
    [
      "a permitted room mention",
      makeEvent({ body: "@room", "m.mentions": { room: true } }, { sender: "@mod:here" }),
      "highlight",
    ],
    ["a room mention without permission", makeEvent({ body: "x", "m.mentions": { room: true } }), "notify"],
    ["@room in the text", makeEvent({ body: "@room hello" }, { sender: "@mod:here" }), "highlight"],
    ["a tombstone", makeEvent({}, { type: "m.room.tombstone", stateKey: "" }), "highlight"],
    ["a server ACL", makeEvent({}, { type: "m.room.server_acl", stateKey: "" }), "nothing"],
    [
      "an edit",
      makeEvent({ body: "* x", "m.relates_to": { rel_type: "m.replace", event_id: "$a" } }),
      "nothing",
    ],
    [
      "an edit that mentions the user",
      makeEvent({ body: "x", "m.mentions": { user_ids: [me] }, "m.relates_to": { rel_type: "m.replace" } }),
      "highlight",
    ],
    ["a call", makeEvent({}, { type: "m.call.invite" }), "notify"],
  ])("%s", (_title, event, expected) => expect(verdict(event)).toBe(expected));

  test("a call ring, and play a sound in one-to-one rooms only", () => {
    const sound = (event: StoredEvent, memberCount: number): unknown =>
      evaluateRules(makeDefaultRules(me), event, { ...context, memberCount }).actions.find(
        (action) => (action as JsonObject).set_tweak === "sound",
      );
    expect(sound(makeEvent({}, { type: "m.call.invite" }), 5)).toMatchObject({ value: "ring" });
    expect(sound(makeEvent({ body: "x" }), 2)).toMatchObject({ value: "default" });
    expect(sound(makeEvent({ body: "x" }), 3)).toBeUndefined();
  });
});

function matches(kind: RuleKind, rule: Partial<PushRule>, event: StoredEvent, memberCount = 5): boolean {
  const none = Object.fromEntries(ruleKinds.map((name) => [name, []])) as unknown as Record<
    RuleKind,
    PushRule[]
  >;
  const complete: PushRule = { rule_id: "mine", default: false, enabled: true, actions: ["notify"], ...rule };
  return evaluateRules({ ...none, [kind]: [complete] }, event, { ...context, memberCount }).notify;
}

describe("a condition", () => {
  const event = makeEvent(
    {
      body: "a.b\nc d",
      number: 5,
      flag: true,
      nothing: null,
      list: ["x", 7],
      nested: { "a.b": { c: "deep" }, "\\": "back" },
    },
    { sender: "@bob:here", stateKey: "" },
  );
  const match = (key: string, pattern: string): JsonObject => ({ kind: "event_match", key, pattern });
  const is = (key: string, value: unknown): JsonObject => ({ kind: "event_property_is", key, value });
  const has = (key: string, value: unknown): JsonObject => ({ kind: "event_property_contains", key, value });
  test.each<[JsonObject, boolean]>([
    [match("type", "m.room.message"), true],
    [match("type", "m.room.*"), true],
    [match("type", "M.ROOM.MESSAGE"), true],
    [match("type", "m.room"), false],
    [match("type", "m?room.message"), true],
    [match("type", "m.room.message\\*"), false],
    [match("room_id", "!room:here"), true],
    [match("content.body", "a.b"), true],
    [match("content.body", "a?b"), true],
    [match("content.body", "axb"), false],
    [match("content.body", "c*d"), true],
    [match("content.number", "5"), false],
    [match("content.missing", "*"), false],
    [match("state_key", ""), true],
    [match("content.nested.a\\.b.c", "deep"), true],
    [match("content.nested.a.b.c", "deep"), false],
    [match("content.nested.\\\\", "back"), true],
    [is("content.number", 5), true],
    [is("content.number", "5"), false],
    [is("content.flag", true), true],
    [is("content.nothing", null), true],
    [is("content.missing", undefined), false],
    [is("content.nested", {}), false],
    [has("content.list", "x"), true],
    [has("content.list", 7), true],
    [has("content.list", "7"), false],
    [has("content.body", "a"), false],
    [{ kind: "room_member_count", is: "5" }, true],
    [{ kind: "room_member_count", is: "==5" }, true],
    [{ kind: "room_member_count", is: "<5" }, false],
    [{ kind: "room_member_count", is: ">=5" }, true],
    [{ kind: "room_member_count", is: "few" }, false],
    [{ kind: "org.example.unknown" }, false],
  ])("%j", (condition, expected) =>
    expect(matches("override", { conditions: [condition] }, event)).toBe(expected),
  );

  test("must match together with all others; an empty list matches", () => {
    expect(matches("underride", { conditions: [match("type", "m.*"), match("sender", "@x:y")] }, event)).toBe(
      false,
    );
    expect(matches("underride", { conditions: [] }, event)).toBe(true);
    expect(matches("underride", {}, event)).toBe(true);
  });
});

describe("a rule", () => {
  const event = makeEvent({ body: "hello world" });
  test.each<[RuleKind, Partial<PushRule>, boolean]>([
    ["room", { rule_id: "!room:here" }, true],
    ["room", { rule_id: "!other:here" }, false],
    ["sender", { rule_id: "@bob:here" }, true],
    ["sender", { rule_id: me }, false],
    ["content", { pattern: "world" }, true],
    ["content", { pattern: "wor" }, false],
    ["content", { pattern: "wor*" }, true],
    ["content", { pattern: "*" }, true],
    ["override", { enabled: false }, false],
    ["override", { actions: [] }, false],
    ["override", { actions: ["dont_notify"] }, false],
  ])("of kind %s: %j", (kind, rule, expected) => expect(matches(kind, rule, event)).toBe(expected));

  test("decides if it is the first match in the order of kinds", () => {
    const rules = makeDefaultRules(me);
    rules.sender = [{ rule_id: "@bob:here", default: false, enabled: true, actions: [] }];
    expect(evaluateRules(rules, event, context).notify).toBe(false);
    rules.room = [{ rule_id: "!room:here", default: false, enabled: true, actions: ["notify"] }];
    expect(evaluateRules(rules, event, context).notify).toBe(true);
    rules.override[0] = { ...(rules.override[0] as PushRule), enabled: true };
    expect(evaluateRules(rules, event, context).notify).toBe(false);
  });
});

describe("a hostile pattern", () => {
  const pattern = `${"a*".repeat(6)}b`;
  const text = "a".repeat(110);
  const rule = { rule_id: "x", default: false, enabled: true, actions: ["notify"] };

  test.each<[string, RuleKind, PushRule, StoredEvent]>([
    ["for a body", "content", { ...rule, pattern }, makeEvent({ body: text })],
    [
      "for a value",
      "override",
      { ...rule, conditions: [{ kind: "event_match", key: "content.x", pattern }] },
      makeEvent({ x: text }),
    ],
  ])("%s does not slow down matching", (_what, kind, hostile, event) => {
    const none = Object.fromEntries(ruleKinds.map((name) => [name, []])) as unknown as RuleSet;
    const started = performance.now();
    expect(evaluateRules({ ...none, [kind]: [hostile] }, event, context).notify).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
