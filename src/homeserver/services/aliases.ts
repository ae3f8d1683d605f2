import { refuse } from "../errors.ts";
import { parseIdentifier } from "../rules/identifiers.ts";
import type { BatchedDatabase } from "./batched-database.ts";

interface Alias {
  alias: string;
  roomId: string;
  creator: string;
}

/** The table `aliases`. */
export interface Aliases {
  find(alias: string): Alias | undefined;
  /** `M_NOT_FOUND` for an unknown alias. */
  get(alias: string): Alias;
  of(roomId: string): string[];
  add(alias: string, roomId: string, creator: string): void;
  remove(alias: string): void;
  move(from: string, to: string): void;
  /** `M_INVALID_PARAM` unless it is a valid alias of this server. */
  checkOwn(alias: string): void;
}

export function openAliases(db: BatchedDatabase, serverName: string): Aliases {
  const find = (alias: string): Alias | undefined =>
    db.get("SELECT alias, room AS roomId, creator FROM aliases WHERE alias = ?", alias);
  const check = (alias: string): string => {
    const parsed = parseIdentifier("#", alias);
    if (!parsed || parsed.local === "" || /[\s:]/.test(parsed.local))
      refuse("M_INVALID_PARAM", `${alias} is not a room alias.`);
    return parsed.server;
  };
  return {
    find,
    get(alias) {
      check(alias);
      return find(alias) ?? refuse("M_NOT_FOUND", `There is no room alias ${alias}.`);
    },
    of: (roomId) =>
      db
        .all<{ alias: string }>("SELECT alias FROM aliases WHERE room = ? ORDER BY alias", roomId)
        .map(({ alias }) => alias),
    add(alias, roomId, creator) {
      db.write("INSERT INTO aliases (alias, room, creator) VALUES (?, ?, ?)", alias, roomId, creator);
    },
    remove: (alias) => db.write("DELETE FROM aliases WHERE alias = ?", alias),
    move: (from, to) => db.write("UPDATE aliases SET room = ? WHERE room = ?", to, from),
    checkOwn(alias) {
      if (check(alias) !== serverName)
        refuse("M_INVALID_PARAM", `${alias} is not an alias of ${serverName}.`);
    },
  };
}
