import { userInfo } from "node:os";
import type { Config } from "../../config/schema.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";
import { type Accounts, openEmbeddedAccounts } from "./accounts.ts";
import { faceEmbedded, type HomeserverFace } from "./homeserver-face.ts";

/** The homeserver that agents and people talk through, whichever it is. */
export interface MatrixHome {
  accounts: Accounts;
  face: HomeserverFace;
  /** Name of the person at this machine, as others see it. */
  owner: string;
  start(): void;
  /** Ends every call that is under way: what was being done is done again after the next start. */
  end(): void;
  stop(): Promise<void>;
}

export function openEmbeddedHome(
  store: Store,
  homeserver: EmbeddedHomeserver,
  config: Config["matrix"],
): MatrixHome {
  const { serverName, publicUrl } = config;
  const owner = config.owner || nameOwner();
  const ending = new AbortController();
  return {
    accounts: openEmbeddedAccounts({ store, homeserver, serverName, owner, ending: ending.signal }),
    face: faceEmbedded(homeserver, serverName, publicUrl),
    owner,
    start: homeserver.start,
    end: () => ending.abort(),
    stop: homeserver.stop,
  };
}

/** The user's own name, as far as it can be one on a homeserver. */
function nameOwner(): string {
  return (
    userInfo()
      .username.toLowerCase()
      .replace(/[^a-z0-9._-]/g, "") || "owner"
  );
}
