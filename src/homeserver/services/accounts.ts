import { refuse } from "../errors.ts";
import { parseIdentifier } from "../rules/identifiers.ts";
import type { BatchedDatabase } from "./batched-database.ts";

export interface Account {
  id: string;
  password: string | undefined;
  displayName: string | undefined;
  avatarUrl: string | undefined;
  isDeactivated: boolean;
}

export type ProfileField = "displayname" | "avatar_url";

/** The table `users`: accounts with password hash and profile. */
export interface Accounts {
  /** The display name defaults to the user name, so that others never see a bare id. */
  create(userId: string, password: string | undefined, at: number): Account;
  find(userId: string): Account | undefined;
  /** `M_NOT_FOUND` for an unknown user. */
  get(userId: string): Account;
  setPassword(userId: string, password: string | undefined): void;
  setProfile(userId: string, field: ProfileField, value: string | undefined): void;
  deactivate(userId: string, erase: boolean): void;
  /** Users whose id or display name contains the term. */
  search(term: string): Account[];
  count(): number;
}

interface UserRow {
  id: string;
  password: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  isDeactivated: number;
}

const columns = `id, password, display_name AS displayName, avatar_url AS avatarUrl, is_deactivated AS isDeactivated`;

export function openAccounts(db: BatchedDatabase): Accounts {
  const known = new Map<string, Account>();
  db.onInvalidate(() => known.clear());

  function find(userId: string): Account | undefined {
    const cached = known.get(userId);
    if (cached) return cached;
    const row = db.get<UserRow>(`SELECT ${columns} FROM users WHERE id = ?`, userId);
    if (!row) return undefined;
    const account = readRow(row);
    known.set(userId, account);
    return account;
  }

  function get(userId: string): Account {
    return find(userId) ?? refuse("M_NOT_FOUND", `There is no user ${userId}.`);
  }

  return {
    create(userId, password, at) {
      const displayName = parseIdentifier("@", userId)?.local;
      db.write(
        "INSERT INTO users (id, password, display_name, created_at) VALUES (?, ?, ?, ?)",
        userId,
        password,
        displayName,
        at,
      );
      const account: Account = {
        id: userId,
        password,
        displayName,
        avatarUrl: undefined,
        isDeactivated: false,
      };
      known.set(userId, account);
      return account;
    },
    find,
    get,
    setPassword(userId, password) {
      get(userId).password = password;
      db.write("UPDATE users SET password = ? WHERE id = ?", password, userId);
    },
    setProfile(userId, field, value) {
      const account = get(userId);
      if (field === "displayname") account.displayName = value;
      else account.avatarUrl = value;
      const column = field === "displayname" ? "display_name" : "avatar_url";
      db.write(`UPDATE users SET ${column} = ? WHERE id = ?`, value, userId);
    },
    deactivate(userId, erase) {
      const account = get(userId);
      account.isDeactivated = true;
      account.password = undefined;
      if (erase) account.displayName = account.avatarUrl = undefined;
      db.write(
        "UPDATE users SET is_deactivated = 1, password = NULL, display_name = ?, avatar_url = ? WHERE id = ?",
        account.displayName,
        account.avatarUrl,
        userId,
      );
    },
    search: (term) =>
      db
        .all<UserRow>(
          `SELECT ${columns} FROM users
           WHERE is_deactivated = 0 AND (instr(lower(id), ?1) > 0 OR instr(lower(display_name), ?1) > 0) ORDER BY id`,
          term.toLowerCase(),
        )
        .map(readRow),
    count: () => db.get<{ n: number }>("SELECT count(*) AS n FROM users")?.n ?? 0,
  };
}

/** Resolves a full user id or a localpart. Falls back to lower case if there is no exact match. */
export function resolveUser(accounts: Accounts, named: string, serverName: string): string {
  const userId = named.startsWith("@") ? named : `@${named}:${serverName}`;
  const parsed = parseIdentifier("@", userId);
  if (!parsed || accounts.find(userId)) return userId;
  return `@${parsed.local.toLowerCase()}:${parsed.server}`;
}

function readRow(row: UserRow): Account {
  return {
    id: row.id,
    password: row.password ?? undefined,
    displayName: row.displayName ?? undefined,
    avatarUrl: row.avatarUrl ?? undefined,
    isDeactivated: row.isDeactivated === 1,
  };
}
