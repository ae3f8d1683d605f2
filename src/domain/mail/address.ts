import { parseQualifiedName } from "./machine.ts";

/** The recipient of a message, as agents and people write it. */
export type Address =
  | { kind: "agent"; name: string }
  /** An agent of another machine: `api-jay@laptop`. The account is given if the text is a sender's full name. */
  | { kind: "remote"; name: string; machine: string; userId: string | undefined }
  /** Everyone in the sender's project. */
  | { kind: "project" }
  /** A room by its name, with or without `#`, or by its id. */
  | { kind: "room"; name: string }
  /** A user of the homeserver: `@ada:rookery.local`. */
  | { kind: "user"; userId: string };

/** The owner of this machine. */
interface Owner {
  name: string;
  userId: string;
}

const forAll = new Set(["project", "room", "everyone", "all", "team"]);
const forOwner = new Set(["user", "human", "owner"]);

export function parseAddress(
  text: string,
  isAgent: (name: string) => boolean,
  owner: Owner,
  toLocal: (name: string) => string = (name) => name,
): Address {
  // A sender on another machine is shown with its account: `api-jay@laptop (@bot:example.org)`.
  const [, typed = "", account] = /^(.*?)(?: \((@[^:\s]+:[^)\s]+)\))?$/s.exec(text.trim()) ?? [];
  const name = toLocal(typed.replace(/^@(?=[^:]*$)/, ""));
  const remote = parseQualifiedName(name);
  if (remote) return { kind: "remote", name: remote.agent, machine: remote.machine, userId: account };
  if (/^@[^:\s]+:\S+$/.test(name)) return { kind: "user", userId: name };
  if (/^[#!]/.test(name)) return { kind: "room", name };
  const bare = name.replace(/^@/, "");
  if (isAgent(bare)) return { kind: "agent", name: bare };
  if (bare === owner.name || forOwner.has(bare.toLowerCase())) return { kind: "user", userId: owner.userId };
  if (forAll.has(bare.toLowerCase())) return { kind: "project" };
  return { kind: "room", name: bare };
}

/** The key of the direct room of two users, the same in either order. */
export function makePairKey(one: string, other: string): string {
  return `direct:${[one, other].toSorted().join(" ")}`;
}

/** The two users of a direct room; empty for any other room. */
export function splitPairKey(key: string): string[] {
  return key.startsWith("direct:") ? key.slice("direct:".length).split(" ") : [];
}
