import { isObject, type JsonObject } from "../json.ts";
import type { AccountData } from "./account-data.ts";

/** The users that a user ignores. Their messages are hidden from that user, their state changes are not. */
export type IgnoredUsers = (userId: string) => ReadonlySet<string>;

const none: ReadonlySet<string> = new Set();

export function makeIgnoredUsers(accountData: AccountData): IgnoredUsers {
  const parsed = new WeakMap<JsonObject, ReadonlySet<string>>();
  return (userId) => {
    const content = accountData.get(userId, "", "m.ignored_user_list");
    if (!content) return none;
    let ignored = parsed.get(content);
    if (!ignored) {
      const { ignored_users: users } = content;
      ignored = new Set(isObject(users) ? Object.keys(users) : []);
      parsed.set(content, ignored);
    }
    return ignored;
  };
}
