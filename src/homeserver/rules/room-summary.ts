import type { JsonObject } from "../json.ts";
import type { StateView, StoredEvent } from "./event.ts";

interface SummarisedRoom {
  readonly view: StateView;
  readonly joined: ReadonlySet<string>;
  stateEvents(type: string): StoredEvent[];
}

const maxHeroes = 5;

/** The heroes of an unnamed room: the earliest joined or invited members, or former members if there are none. */
export function pickHeroes(room: SummarisedRoom, reader: string): string[] {
  if (isNamed(room)) return [];
  const others = room
    .stateEvents("m.room.member")
    .filter(({ stateKey }) => stateKey !== reader)
    .toSorted((a, b) => a.stream - b.stream);
  const present = others.filter(
    ({ content }) => content.membership === "join" || content.membership === "invite",
  );
  const gone = others.filter(({ content }) => content.membership === "leave" || content.membership === "ban");
  return (present.length > 0 ? present : gone).slice(0, maxHeroes).map(({ stateKey }) => stateKey ?? "");
}

export function makeSummary(room: SummarisedRoom, reader: string): JsonObject {
  const invited = room
    .stateEvents("m.room.member")
    .filter(({ content }) => content.membership === "invite").length;
  const counts = { "m.joined_member_count": room.joined.size, "m.invited_member_count": invited };
  return isNamed(room) ? counts : { "m.heroes": pickHeroes(room, reader), ...counts };
}

function isNamed({ view }: SummarisedRoom): boolean {
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
  return isText(view("m.room.name")?.content.name) || isText(view("m.room.canonical_alias")?.content.alias);
}

/** The state types shown to invited and knocking users. */
export const strippedTypes = [
  "m.room.create",
  "m.room.join_rules",
  "m.room.canonical_alias",
  "m.room.avatar",
  "m.room.encryption",
  "m.room.name",
  "m.room.topic",
];
