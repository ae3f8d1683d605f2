import type { MatrixView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";
import type { Accounts } from "./accounts.ts";

/** What people are told of the homeserver, whichever it is. */
export interface HomeserverFace {
  describe(): Promise<Pick<MatrixView, "homeserver" | "url" | "serverName" | "users" | "rooms" | "events">>;
  /** Somebody who signs in with a client of their own. Only the embedded one lets us make people. */
  setPassword(name: string, password: string): Promise<{ userId: string; isNew: boolean; url: string }>;
}

export function faceEmbedded(
  homeserver: EmbeddedHomeserver,
  serverName: string,
  publicUrl: string,
): HomeserverFace {
  const url = (): string | null => {
    const port = homeserver.port();
    return publicUrl || (port === undefined ? null : `http://127.0.0.1:${port}`);
  };
  return {
    async describe() {
      const { users, rooms, events } = await homeserver.stats();
      return { homeserver: "embedded", url: url(), serverName, users, rooms, events };
    },
    async setPassword(name, password) {
      return { ...(await homeserver.setPassword(name, password)), url: url() ?? "" };
    },
  };
}

/** One that is run by others: of it we know what our own account sees. */
export function faceOutside(
  homeserver: "managed" | "outside",
  url: () => string,
  accounts: Accounts,
): HomeserverFace {
  return {
    async describe() {
      const userId = accounts.userIdOf("");
      const serverName = userId.slice(userId.indexOf(":") + 1);
      return { homeserver, url: url(), serverName, users: null, rooms: null, events: null };
    },
    async setPassword() {
      throw new AppError("matrix_off", "People make their accounts on that homeserver themselves.");
    },
  };
}
