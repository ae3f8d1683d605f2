import type { JsonObject } from "../json.ts";

export interface PushRule extends JsonObject {
  rule_id: string;
  default: boolean;
  enabled: boolean;
  actions: unknown[];
  conditions?: JsonObject[];
  pattern?: string;
}

export const ruleKinds = ["override", "content", "room", "sender", "underride"] as const;
export type RuleKind = (typeof ruleKinds)[number];
export type RuleSet = Record<RuleKind, PushRule[]>;

const notify = ["notify", { set_tweak: "sound", value: "default" }];
const highlight = [...notify, { set_tweak: "highlight" }];
const silent = ["notify", { set_tweak: "highlight" }];
const quiet = ["notify"];

const match = (key: string, pattern: string): JsonObject => ({ kind: "event_match", key, pattern });
const is = (key: string, value: unknown): JsonObject => ({ kind: "event_property_is", key, value });
const rule = (id: string, actions: unknown[], conditions: JsonObject[], enabled = true): PushRule => ({
  rule_id: `.m.rule.${id}`,
  default: true,
  enabled,
  actions,
  conditions,
});

/** The predefined rules of the specification, for one user. */
export function makeDefaultRules(userId: string): RuleSet {
  const localpart = userId.slice(1, userId.indexOf(":"));
  const mayNotifyRoom = { kind: "sender_notification_permission", key: "room" };
  const isPair = { kind: "room_member_count", is: "2" };
  return {
    override: [
      rule("master", [], [], false),
      rule("suppress_notices", [], [match("content.msgtype", "m.notice")]),
      rule("invite_for_me", notify, [
        match("type", "m.room.member"),
        match("content.membership", "invite"),
        match("state_key", userId),
      ]),
      rule("member_event", [], [match("type", "m.room.member")]),
      rule("is_user_mention", highlight, [
        { kind: "event_property_contains", key: "content.m\\.mentions.user_ids", value: userId },
      ]),
      rule("contains_display_name", highlight, [{ kind: "contains_display_name" }]),
      rule("is_room_mention", silent, [is("content.m\\.mentions.room", true), mayNotifyRoom]),
      rule("roomnotif", silent, [match("content.body", "@room"), mayNotifyRoom]),
      rule("tombstone", silent, [match("type", "m.room.tombstone"), match("state_key", "")]),
      rule("reaction", [], [match("type", "m.reaction")]),
      rule("room.server_acl", [], [match("type", "m.room.server_acl"), match("state_key", "")]),
      rule("suppress_edits", [], [is("content.m\\.relates_to.rel_type", "m.replace")]),
    ],
    content: [
      {
        rule_id: ".m.rule.contains_user_name",
        default: true,
        enabled: true,
        actions: highlight,
        pattern: localpart,
      },
    ],
    room: [],
    sender: [],
    underride: [
      rule("call", ["notify", { set_tweak: "sound", value: "ring" }], [match("type", "m.call.invite")]),
      rule("encrypted_room_one_to_one", notify, [isPair, match("type", "m.room.encrypted")]),
      rule("room_one_to_one", notify, [isPair, match("type", "m.room.message")]),
      rule("message", quiet, [match("type", "m.room.message")]),
      rule("encrypted", quiet, [match("type", "m.room.encrypted")]),
    ],
  };
}
