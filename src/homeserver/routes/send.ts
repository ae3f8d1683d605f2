import { refuse } from "../errors.ts";
import { optionalBoolean, optionalInteger, optionalString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireRoom, requireJoinedRoom, requireParam, requireSelf } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Draft } from "../rules/event.ts";
import { readPowerLevels } from "../rules/power.ts";
import { readRelation } from "../rules/relation.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";

/** Redacting these would remove the room's rules or its server ACL. */
const neverRedacted = ["m.room.create", "m.room.server_acl"];

/** `M_FORBIDDEN` unless the event is the caller's own or the caller may redact other users' events. */
function checkRedaction(room: Room, call: Call, services: Services, targetId: string): void {
  const target = services.timeline.find(room, targetId);
  if (!target)
    refuse(
      services.log.byId(targetId) ? "M_INVALID_PARAM" : "M_NOT_FOUND",
      `There is no event ${targetId} in this room.`,
    );
  if (neverRedacted.includes(target.type)) refuse("M_FORBIDDEN", `${target.type} cannot be redacted.`);
  const levels = readPowerLevels(room.view);
  if (target.sender !== call.session.userId && levels.of(call.session.userId) < levels.to("redact"))
    refuse("M_FORBIDDEN", "Redacting others' events needs a higher power level.");
}

/** `M_DUPLICATE_ANNOTATION` if the user has already reacted to the event with the same key. */
function checkAnnotation(room: Room, { body, params, session }: Call, { relations }: Services): void {
  const { type: relation, parent, key } = readRelation(body) ?? {};
  if (relation !== "m.annotation" || parent === undefined || key === undefined) return;
  const { eventType: type = "" } = params;
  if (relations.hasAnnotation(room, { parent, sender: session.userId, type, key }))
    refuse("M_DUPLICATE_ANNOTATION", `You have already reacted to this event with ${key}.`);
}

/** Appends the event from `make`. A repeated transaction returns the existing event. */
function appendOnce(
  room: Room,
  call: Call,
  services: Services,
  type: string,
  make: () => Pick<Draft, "content" | "redacts">,
): JsonObject {
  const { txnId: txn } = call.params;
  const { device, userId: sender } = call.session;
  const earlier = txn === undefined ? undefined : services.log.byTxn(room.n, type, device, txn);
  if (earlier !== undefined) return { event_id: earlier };
  const { content, redacts } = make();
  const draft = { type, stateKey: undefined, sender, content, redacts };
  const event = services.timeline.append(room, draft, txn === undefined ? {} : { txn: { device, id: txn } });
  return { event_id: event.id };
}

function sendMessage(call: Call, services: Services): JsonObject {
  const room = requireRoom(call, services);
  const type = requireParam(call, "eventType");
  return appendOnce(room, call, services, type, () => {
    const redacts = type === "m.room.redaction" ? optionalString(call.body, "redacts") : undefined;
    if (redacts !== undefined && room.joined.has(call.session.userId))
      checkRedaction(room, call, services, redacts);
    checkAnnotation(room, call, services);
    return { content: call.body, redacts };
  });
}

function redact(call: Call, services: Services): JsonObject {
  const room = requireJoinedRoom(call, services);
  return appendOnce(room, call, services, "m.room.redaction", () => {
    const redacts = requireParam(call, "eventId");
    checkRedaction(room, call, services, redacts);
    const reason = optionalString(call.body, "reason");
    const content: JsonObject = reason === undefined ? {} : { reason };
    if (room.version.revised) content.redacts = redacts;
    return { content, redacts };
  });
}

const maxTypingMs = 120_000;
const defaultTypingMs = 30_000;

export const sendRoutes = [
  route(
    "PUT /_matrix/client/v3/rooms/{roomId}/send/{eventType}/{txnId}",
    {
      errors: [
        ...(["M_FORBIDDEN", "M_NOT_FOUND", "M_BAD_JSON", "M_INVALID_PARAM"] as const),
        ...(["M_TOO_LARGE", "M_LIMIT_EXCEEDED", "M_DUPLICATE_ANNOTATION"] as const),
      ],
    },
    sendMessage,
  ),

  // Older clients send without a transaction id.
  route(
    "POST /_matrix/client/v3/rooms/{roomId}/send/{eventType}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_BAD_JSON", "M_INVALID_PARAM", "M_DUPLICATE_ANNOTATION"] },
    sendMessage,
  ),

  route(
    "PUT /_matrix/client/v3/rooms/{roomId}/redact/{eventId}/{txnId}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_BAD_JSON", "M_INVALID_PARAM"] },
    redact,
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/redact/{eventId}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_BAD_JSON", "M_INVALID_PARAM"] },
    redact,
  ),

  route(
    "PUT /_matrix/client/v3/rooms/{roomId}/typing/{userId}",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON", "M_MISSING_PARAM"] },
    (call, services) => {
      const userId = requireSelf(call);
      const room = requireJoinedRoom(call, services);
      const isTyping =
        optionalBoolean(call.body, "typing") ?? refuse("M_MISSING_PARAM", "typing is missing.");
      const timeoutMs = Math.min(optionalInteger(call.body, "timeout") ?? defaultTypingMs, maxTypingMs);
      if (isTyping) services.typing.start(room, userId, Math.max(timeoutMs, 1));
      else services.typing.stop(room, userId);
      return {};
    },
  ),
];
