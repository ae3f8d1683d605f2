import { refuse } from "../errors.ts";
import { optionalArray, optionalBoolean, optionalObject, optionalString, requiredString } from "../fields.ts";
import { isObject, type JsonObject } from "../json.ts";
import { requireParam, readLimit, readPosition } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { StoredEvent } from "../rules/event.ts";
import { maxGlobLength } from "../rules/glob.ts";
import type { PushRule, RuleKind } from "../rules/push-defaults.ts";
import type { Services } from "../services.ts";
import { isRuleKind } from "../services/push-rules.ts";
import type { Pusher } from "../services/pushers.ts";
import type { Room } from "../services/rooms.ts";

function readKind(call: Call): RuleKind {
  const kind = requireParam(call, "kind");
  return isRuleKind(kind) ? kind : refuse("M_INVALID_PARAM", `Unknown kind of push rule: ${kind}.`);
}

/** The last two are deprecated and have no effect, but older clients still send them. */
const knownActions = ["notify", "dont_notify", "coalesce"];

function readActions(body: JsonObject): unknown[] {
  const actions = optionalArray(body, "actions") ?? refuse("M_MISSING_PARAM", "actions is missing.");
  for (const action of actions) {
    if (typeof action !== "string" && !(isObject(action) && typeof action.set_tweak === "string"))
      refuse("M_BAD_JSON", "Each action must be a string or an object with set_tweak.");
    if (typeof action === "string" && !knownActions.includes(action))
      refuse("M_INVALID_PARAM", `Unknown action ${action}.`);
  }
  return actions;
}

/** Rules are evaluated for every event, so their number and size are limited. */
const maxConditions = 10;

function checkLength(name: string, text: unknown): void {
  if (typeof text === "string" && text.length > maxGlobLength)
    refuse("M_TOO_LARGE", `${name} is longer than ${maxGlobLength} characters.`);
}

function readRule(call: Call, kind: RuleKind): PushRule {
  const { body } = call;
  const rule: PushRule = {
    rule_id: requireParam(call, "ruleId"),
    default: false,
    enabled: true,
    actions: readActions(body),
  };
  if (kind === "override" || kind === "underride") {
    const conditions =
      optionalArray(body, "conditions") ?? refuse("M_MISSING_PARAM", "conditions is missing.");
    if (!conditions.every(isObject)) refuse("M_BAD_JSON", "conditions must be an array of objects.");
    if (!conditions.every(({ kind: condition }) => typeof condition === "string"))
      refuse("M_BAD_JSON", "Each condition must have a kind.");
    if (conditions.length > maxConditions)
      refuse("M_TOO_LARGE", `A rule cannot have more than ${maxConditions} conditions.`);
    for (const { key, pattern } of conditions) {
      checkLength("key", key);
      checkLength("pattern", pattern);
    }
    rule.conditions = conditions;
  }
  if (kind === "content") rule.pattern = requiredString(body, "pattern");
  checkLength("pattern", rule.pattern);
  return rule;
}

const found = ["M_NOT_FOUND", "M_INVALID_PARAM"] as const;
const invalid = { errors: ["M_INVALID_PARAM"] } as const;
const unrecognised = { errors: ["M_UNRECOGNIZED"] } as const;

function rejectScope(call: Call): never {
  return refuse("M_INVALID_PARAM", `Unknown scope ${requireParam(call, "scope")}. The only scope is global.`);
}

function rejectAttribute(call: Call): never {
  return refuse("M_INVALID_PARAM", `A push rule has no attribute ${requireParam(call, "attribute")}.`);
}

function rejectWithoutSlash(): never {
  return refuse("M_UNRECOGNIZED", "This path must end with a slash.", { status: 400 });
}

export const pushRoutes = [
  route("GET /_matrix/client/v3/pushrules/", {}, ({ session }, { pushRules }) =>
    pushRules.asAccountData(session.userId),
  ),

  route("GET /_matrix/client/v3/pushrules/global/", {}, ({ session }, { pushRules }) => ({
    ...pushRules.get(session.userId),
  })),

  route("GET /_matrix/client/v3/pushrules/global/{kind}/", invalid, (call, { pushRules }) => {
    const rules = pushRules.get(call.session.userId)[readKind(call)];
    return rules.map((rule) => ({ ...rule }));
  }),

  route("GET /_matrix/client/v3/pushrules/global", unrecognised, rejectWithoutSlash),
  route("GET /_matrix/client/v3/pushrules/global/{kind}", unrecognised, rejectWithoutSlash),
  route("GET /_matrix/client/v3/pushrules/{scope}/", invalid, rejectScope),
  route("GET /_matrix/client/v3/pushrules/{scope}/{kind}/{ruleId}", invalid, rejectScope),
  route("PUT /_matrix/client/v3/pushrules/{scope}/{kind}/{ruleId}", invalid, rejectScope),
  route("DELETE /_matrix/client/v3/pushrules/{scope}/{kind}/{ruleId}", invalid, rejectScope),
  route("GET /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/{attribute}", invalid, rejectAttribute),
  route("PUT /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/{attribute}", invalid, rejectAttribute),

  route("GET /_matrix/client/v3/pushrules/global/{kind}/{ruleId}", { errors: found }, (call, { pushRules }) =>
    pushRules.find(call.session.userId, readKind(call), requireParam(call, "ruleId")),
  ),

  route(
    "PUT /_matrix/client/v3/pushrules/global/{kind}/{ruleId}",
    { errors: ["M_INVALID_PARAM", "M_MISSING_PARAM", "M_BAD_JSON", "M_UNKNOWN", "M_TOO_LARGE"] },
    (call, { pushRules }) => {
      const kind = readKind(call);
      const ruleId = requireParam(call, "ruleId");
      if (ruleId.startsWith(".")) refuse("M_INVALID_PARAM", "Rule ids that start with a dot are reserved.");
      if (/[\\/]/.test(ruleId)) refuse("M_INVALID_PARAM", "Rule ids cannot contain slashes.");
      const place = {
        before: call.query.get("before") ?? undefined,
        after: call.query.get("after") ?? undefined,
      };
      pushRules.put(call.session.userId, kind, readRule(call, kind), place);
      return {};
    },
  ),

  route(
    "DELETE /_matrix/client/v3/pushrules/global/{kind}/{ruleId}",
    { errors: [...found, "M_UNKNOWN"] },
    (call, { pushRules }) => {
      pushRules.remove(call.session.userId, readKind(call), requireParam(call, "ruleId"));
      return {};
    },
  ),

  route(
    "GET /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/enabled",
    { errors: found },
    (call, { pushRules }) => ({
      enabled: pushRules.find(call.session.userId, readKind(call), requireParam(call, "ruleId")).enabled,
    }),
  ),

  route(
    "PUT /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/enabled",
    { errors: [...found, "M_MISSING_PARAM", "M_BAD_JSON"] },
    (call, { pushRules }) => {
      const kind = readKind(call);
      const enabled =
        optionalBoolean(call.body, "enabled") ?? refuse("M_MISSING_PARAM", "enabled is missing.");
      pushRules.change(call.session.userId, kind, requireParam(call, "ruleId"), (rule) => ({
        ...rule,
        enabled,
      }));
      return {};
    },
  ),

  route(
    "GET /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/actions",
    { errors: found },
    (call, { pushRules }) => ({
      actions: pushRules.find(call.session.userId, readKind(call), requireParam(call, "ruleId")).actions,
    }),
  ),

  route(
    "PUT /_matrix/client/v3/pushrules/global/{kind}/{ruleId}/actions",
    { errors: [...found, "M_MISSING_PARAM", "M_BAD_JSON"] },
    (call, { pushRules }) => {
      const kind = readKind(call);
      const actions = readActions(call.body);
      pushRules.change(call.session.userId, kind, requireParam(call, "ruleId"), (rule) => ({
        ...rule,
        actions,
      }));
      return {};
    },
  ),

  route("GET /_matrix/client/v3/pushers", {}, ({ session }, { pushers }) => ({
    pushers: pushers.of(session.userId),
  })),

  route(
    "POST /_matrix/client/v3/pushers/set",
    { errors: ["M_MISSING_PARAM", "M_INVALID_PARAM", "M_BAD_JSON"] },
    ({ body, session }, { pushers }) => {
      const [appId, pushkey] = [requiredString(body, "app_id"), requiredString(body, "pushkey")];
      if (!("kind" in body)) refuse("M_MISSING_PARAM", "kind is missing.");
      if (body.kind === null) {
        pushers.remove(session.userId, appId, pushkey);
        return {};
      }
      const pusher: Pusher = { app_id: appId, pushkey };
      for (const name of ["kind", "app_display_name", "device_display_name", "lang"])
        pusher[name] = requiredString(body, name);
      const data = optionalObject(body, "data") ?? refuse("M_MISSING_PARAM", "data is missing.");
      if (pusher.kind === "http") checkPushUrl(data);
      pusher.data = data;
      pusher.profile_tag = optionalString(body, "profile_tag") ?? "";
      if (!optionalBoolean(body, "append")) pushers.removeOfOthers(session.userId, pusher);
      pushers.set(session.userId, session.device, pusher);
      return {};
    },
  ),

  route(
    "GET /_matrix/client/v3/notifications",
    { errors: ["M_INVALID_PARAM"], isLargeRead: true },
    listNotifications,
  ),
];

function checkPushUrl(data: JsonObject): void {
  const text = requiredString(data, "url");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/_matrix/push/v1/notify")
    refuse("M_INVALID_PARAM", "data.url must be an address with the path /_matrix/push/v1/notify.");
}

const maxNotifications = 100;
const maxScanned = 2_000;

/** Whether the user may read the event. An invited user may read only the invitation. */
function isReadable(room: Room, userId: string, event: StoredEvent, { members, history }: Services): boolean {
  if (members.in(userId, room.id)?.membership === "invite")
    return (
      event.type === "m.room.member" && event.stateKey === userId && event.content.membership === "invite"
    );
  return history.viewer(room, userId).canSee(event);
}

/** Events in the user's rooms that match a notifying push rule, newest first. */
function listNotifications({ query, session }: Call, services: Services): JsonObject {
  const { userId } = session;
  const limit = readLimit(query, 20, maxNotifications);
  const isHighlightOnly = query.get("only") === "highlight";
  let before = readPosition(query.get("from")) ?? services.db.position();
  const notifications: JsonObject[] = [];
  let isMore = false;
  for (const event of services.log.newestFor(userId, before, maxScanned)) {
    const room = services.rooms.get(event.roomId);
    const verdict = services.unread.evaluate(room, userId, event);
    if (!verdict.notify || (isHighlightOnly && !verdict.highlight)) continue;
    if (!isReadable(room, userId, event, services)) continue;
    const readTo = Math.max(0, ...services.receipts.of(room, userId).map(({ eventStream }) => eventStream));
    const isRead = event.stream <= readTo;
    // Read events are listed only if they mention the user.
    if (isRead && !verdict.highlight) continue;
    isMore = notifications.length === limit;
    if (isMore) break;
    notifications.push({
      room_id: room.id,
      event: services.presenter.show(room, [event], session)[0],
      actions: verdict.actions,
      ts: event.sentAt,
      read: isRead,
      profile_tag: "",
    });
    before = event.stream - 1;
  }
  return { notifications, ...(isMore ? { next_token: `s${before}` } : {}) };
}
