import type { MatrixView } from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";
import type { Accounts } from "./accounts.ts";

/** The homeserver's data for people: the same for every kind of homeserver. */
export interface HomeserverAdmin {
  describe(): Promise<Pick<MatrixView, "homeserver" | "url" | "serverName" | "users" | "rooms" | "events">>;
  /** Creates or updates a user who signs in with a client of their own. Only the embedded homeserver supports it. */
  setPassword(name: string, password: string): Promise<{ userId: string; isNew: boolean; url: string }>;
}

export function makeEmbeddedAdmin(
  homeserver: EmbeddedHomeserver,
  serverName: string,
  publicUrl: string,
): HomeserverAdmin {
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

/** A homeserver run by others: we only know what our own account can see. */
export function makeRemoteAdmin(
  homeserver: "managed" | "outside",
  url: () => string,
  accounts: Accounts,
): HomeserverAdmin {
  return {
    async describe() {
      const userId = accounts.userIdOf("");
      const serverName = userId.slice(userId.indexOf(":") + 1);
      return { homeserver, url: url(), serverName, users: null, rooms: null, events: null };
    },
    async setPassword() {
      throw new AppError("matrix_off", "People create their own accounts on that homeserver.");
    },
  };
}
