import { userInfo } from "node:os";

/** The user's name on this machine; empty if the system does not know the user, as in some containers. */
export function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
