import type { MatrixView } from "../../protocol/mail.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";

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
