import { parseMessageRef } from "../../channels/matrix/read-reply.ts";
import { makePhrasePattern } from "../../domain/memory/forget-pattern.ts";
import type { ErasureRequest } from "../../homeserver/contract.ts";
import type { Store } from "../../store/open-store.ts";
import type { ForgetTarget } from "../../store/select-forgotten.ts";
import type { Selection } from "../../store/selection.ts";

/** Lists what the homeserver must delete. Runs before our own rows are deleted, because it reads them. */
export function planErasure(store: Store, target: ForgetTarget, selection: Selection): ErasureRequest {
  const events = [...listEvents(store, selection)];
  const rooms = "project" in target && target.project ? listRooms(store, target.project.id) : undefined;
  if (target.by === "span") return { events, rooms, span: { from: target.from, to: target.to } };
  if (target.by === "words" && !rooms) return { events, pattern: target.pattern };
  const patterns = [...listSessions(store, selection)].map((id) => `"session_id":"${makePhrasePattern(id)}"`);
  if (target.by !== "documents") patterns.push(target.pattern);
  if (patterns.length === 0) return { events };
  return { events, pattern: patterns.join("|"), rooms: rooms ?? store.rooms.all().map(({ id }) => id) };
}

/** Adds the entries of an interrupted plan, whose rows here are already deleted. */
export function mergeErasures(earlier: ErasureRequest, later: ErasureRequest): ErasureRequest {
  const join = (key: "events" | "goneRooms" | "goneUsers"): string[] => [
    ...new Set([...(earlier[key] ?? []), ...(later[key] ?? [])]),
  ];
  return { ...later, events: join("events"), goneRooms: join("goneRooms"), goneUsers: join("goneUsers") };
}

export function listRooms(store: Store, projectId: string): string[] {
  const room = store.rooms.byKey(`project:${projectId}`);
  return room ? [room.id] : [];
}

/** Event ids of messages, and of cards and notifications posted on the homeserver. */
function* listEvents(store: Store, { mail, questions, notices }: Selection): Generator<string> {
  for (const id of mail) {
    const eventId = store.messages.byId(id)?.eventId;
    if (eventId) yield eventId;
  }
  // The card of an open question stays until it is settled.
  const isOver = (id: string): boolean => store.questions.byId(id)?.state !== "open";
  const cards = [...questions].filter(isOver).flatMap(store.outbox.listCards);
  const news = [...notices].flatMap((id) => store.outbox.byId(id) ?? []);
  for (const { channel, place } of [...cards, ...news])
    if (channel === "matrix" && place !== null) yield parseMessageRef(place).eventId;
}

/** Sessions whose agents publish their focus, in the person's own words, as room state. */
function listSessions(store: Store, { turns }: Selection): Set<string> {
  return new Set([...turns].flatMap((id) => store.turns.sessionOf(id) ?? []));
}
