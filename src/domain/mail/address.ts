/** Whom a message is for, as agents and people say it. */
export type Address =
  | { kind: "agent"; name: string }
  /** Everybody in the sender's project. */
  | { kind: "project" }
  /** A room by its name, with or without `#`, or by its id. */
  | { kind: "room"; name: string }
  /** Somebody on the homeserver: `@ada:rookery.local`. */
  | { kind: "user"; userId: string };

/** The person whose machine this is. */
export interface Owner {
  name: string;
  userId: string;
}

const forAll = new Set(["project", "room", "everyone", "all", "team"]);
const forOwner = new Set(["user", "human", "owner"]);

export function readAddress(text: string, isAgent: (name: string) => boolean, owner: Owner): Address {
  const name = text.trim();
  if (/^@[^:\s]+:\S+$/.test(name)) return { kind: "user", userId: name };
  if (/^[#!]/.test(name)) return { kind: "room", name };
  const bare = name.replace(/^@/, "");
  if (isAgent(bare)) return { kind: "agent", name: bare };
  if (bare === owner.name || forOwner.has(bare.toLowerCase())) return { kind: "user", userId: owner.userId };
  if (forAll.has(bare.toLowerCase())) return { kind: "project" };
  return { kind: "room", name: bare };
}

/** The one key of the room that two share, whoever writes first. */
export function pairKey(one: string, other: string): string {
  return `direct:${[one, other].toSorted().join(" ")}`;
}

/** Who the two are; nobody for a room that is not of two. */
export function sidesOf(key: string): string[] {
  return key.startsWith("direct:") ? key.slice("direct:".length).split(" ") : [];
}
