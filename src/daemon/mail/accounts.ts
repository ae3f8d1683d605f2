import { makeMatrixClient, type MatrixClient } from "../../channels/matrix/client.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";

/** Who our agents are on the homeserver. */
export interface Accounts {
  /** The agent's own account, made on demand. */
  ofAgent(agent: AgentRow): Promise<MatrixClient>;
  /** The account of the person whose machine this is, for what they say in the terminal and the viewer. */
  ofOwner(): Promise<MatrixClient>;
  /** The agent behind a user of our homeserver. */
  agentBehind(userId: string): AgentRow | undefined;
  userIdOf(localpart: string): string;
  /** A token was refused: the next one who asks gets a new one. */
  forget(userId: string): void;
}

export interface AccountsDeps {
  store: Store;
  homeserver: EmbeddedHomeserver;
  serverName: string;
  /** The owner's name on the homeserver. */
  owner: string;
}

/** Accounts on the embedded homeserver: it hands out tokens to us, in the process, and to nobody else. */
export function openEmbeddedAccounts({ store, homeserver, serverName, owner }: AccountsDeps): Accounts {
  const clients = new Map<string, Promise<MatrixClient>>();
  const userIdOf = (localpart: string): string => `@${localpart}:${serverName}`;

  function signIn(localpart: string): Promise<MatrixClient> {
    const userId = userIdOf(localpart);
    const known = clients.get(userId);
    if (known) return known;
    const made = homeserver.ensureUser(localpart, localpart).then(({ accessToken }) => {
      const url = `http://127.0.0.1:${homeserver.port()}`;
      return makeMatrixClient({ url, accessToken }, userId);
    });
    made.catch(() => clients.delete(userId)); // Whoever asked hears why; the next one tries again.
    clients.set(userId, made);
    return made;
  }

  return {
    ofAgent: ({ name }) => signIn(name),
    ofOwner: () => signIn(owner),
    agentBehind(userId) {
      const localpart = /^@([^:]+):(.+)$/.exec(userId);
      return localpart?.[2] === serverName ? store.agents.byName(localpart[1] ?? "") : undefined;
    },
    userIdOf,
    forget: (userId) => void clients.delete(userId),
  };
}
