import { userInfo } from "node:os";

/** The user's name on this machine; empty for one without an entry in the system's list, as in some containers. */
export function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
