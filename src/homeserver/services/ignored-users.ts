import { isObject, type JsonObject } from "../json.ts";
import type { AccountData } from "./account-data.ts";

/** Whom a user does not want to hear from: what they say is kept from that user, what they change in a room is not. */
export type IgnoredUsers = (userId: string) => ReadonlySet<string>;

const nobody: ReadonlySet<string> = new Set();

export function makeIgnoredUsers(accountData: AccountData): IgnoredUsers {
  const read = new WeakMap<JsonObject, ReadonlySet<string>>();
  return (userId) => {
    const content = accountData.get(userId, "", "m.ignored_user_list");
    if (!content) return nobody;
    let ignored = read.get(content);
    if (!ignored) {
      const { ignored_users: users } = content;
      ignored = new Set(isObject(users) ? Object.keys(users) : []);
      read.set(content, ignored);
    }
    return ignored;
  };
}
