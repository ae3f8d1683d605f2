import { isObject, type JsonObject } from "../json.ts";
import type { StoredEvent } from "./event.ts";
import { compileGlob, matchesText, matchesWords } from "./glob.ts";
import { type PushRule, type RuleKind, type RuleSet, ruleKinds } from "./push-defaults.ts";
import { getOwn } from "../../shared/json.ts";

/** Facts about the room that conditions refer to. */
export interface PushContext {
  displayName: string | undefined;
  memberCount: number;
  mayNotify(sender: string, key: string): boolean;
}

export interface Verdict {
  notify: boolean;
  highlight: boolean;
  actions: unknown[];
}

/** No notification and no highlight. */
export const noNotification: Verdict = { notify: false, highlight: false, actions: [] };
/** Rules that detect mentions in the text. They are skipped if the event lists its mentions. */
const textMentionRules = new Set([
  ".m.rule.contains_display_name",
  ".m.rule.contains_user_name",
  ".m.rule.roomnotif",
]);

/** Evaluates the rules in the order of their kinds; the first match decides. */
export function evaluateRules(rules: RuleSet, event: StoredEvent, context: PushContext): Verdict {
  for (const kind of ruleKinds) {
    const found = rules[kind].find((rule) => rule.enabled && matchesRule(kind, rule, event, context));
    if (found) return toVerdict(found.actions);
  }
  return noNotification;
}

function toVerdict(actions: unknown[]): Verdict {
  const tweak = actions.find((action) => isObject(action) && action.set_tweak === "highlight");
  return {
    notify: actions.includes("notify"),
    highlight: isObject(tweak) && tweak.value !== false,
    actions,
  };
}

function matchesRule(kind: RuleKind, rule: PushRule, event: StoredEvent, context: PushContext): boolean {
  if (textMentionRules.has(rule.rule_id) && event.content["m.mentions"] !== undefined) return false;
  if (kind === "room") return event.roomId === rule.rule_id;
  if (kind === "sender") return event.sender === rule.rule_id;
  if (kind === "content")
    return (
      matchesPattern("content.body", event.content.body, rule.pattern ?? "") &&
      event.type === "m.room.message"
    );
  return (rule.conditions ?? []).every((condition) => matchesCondition(condition, event, context));
}

function matchesCondition(condition: JsonObject, event: StoredEvent, context: PushContext): boolean {
  const { kind, key, pattern, value } = condition;
  switch (kind) {
    case "event_match":
      return (
        typeof key === "string" &&
        typeof pattern === "string" &&
        matchesPattern(key, readPath(event, key), pattern)
      );
    case "event_property_is":
      return typeof key === "string" && value !== undefined && readPath(event, key) === value;
    case "event_property_contains": {
      const list = typeof key === "string" ? readPath(event, key) : undefined;
      return Array.isArray(list) && list.includes(value);
    }
    case "contains_display_name":
      return (
        !!context.displayName &&
        matchesPattern("content.body", event.content.body, escapeGlob(context.displayName))
      );
    case "room_member_count":
      return typeof condition.is === "string" && isCount(condition.is, context.memberCount);
    case "sender_notification_permission":
      return typeof key === "string" && context.mayNotify(event.sender, key);
    default:
      return false; // Unknown conditions never match.
  }
}

function readPath(event: StoredEvent, path: string): unknown {
  const names = splitPath(path);
  let node = readTop(event, names[0] ?? "");
  for (let i = 1; i < names.length; i++) node = isObject(node) ? getOwn(node, names[i] as string) : undefined;
  return node;
}

function readTop(event: StoredEvent, name: string): unknown {
  switch (name) {
    case "content":
      return event.content;
    case "type":
      return event.type;
    case "sender":
      return event.sender;
    case "room_id":
      return event.roomId;
    case "event_id":
      return event.id;
    case "state_key":
      return event.stateKey;
    default:
      return undefined;
  }
}

const paths = new Map<string, string[]>();

/** Splits at dots; `a.b\.c` has the parts `a` and `b.c`. A backslash escapes a dot or a backslash. */
function splitPath(path: string): string[] {
  let parts = paths.get(path);
  if (!parts) {
    parts = (path.match(/(?:\\.|[^.\\])+|(?<=^|\.)(?=\.|$)/g) ?? []).map((part) =>
      part.replace(/\\([\\.])/g, "$1"),
    );
    if (paths.size < 1_000) paths.set(path, parts);
  }
  return parts;
}

/** A case-insensitive glob match: of whole words in `content.body`, of the full value elsewhere. */
function matchesPattern(key: string, value: unknown, pattern: string): boolean {
  if (typeof value !== "string" || pattern === "") return value === pattern;
  const glob = compileGlob(pattern);
  return key === "content.body" ? matchesWords(glob, value) : matchesText(glob, value);
}

function escapeGlob(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}

function isCount(test: string, count: number): boolean {
  const [, operator = "==", digits = ""] = /^(==|<=|>=|<|>)?(\d+)$/.exec(test) ?? [];
  if (digits === "") return false;
  const n = Number(digits);
  if (operator === "<") return count < n;
  if (operator === ">") return count > n;
  if (operator === "<=") return count <= n;
  return operator === ">=" ? count >= n : count === n;
}
