import { makeMatrixClient, type MatrixClient } from "../../matrix-client/client.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";

/** Who our agents are on the homeserver. */
export interface Accounts {
  /** One account speaks for all agents of this machine, with their names in front. */
  readonly isShared: boolean;
  /** The person whose machine this is. */
  readonly ownerId: string;
  /** The account that an agent speaks and listens through; made on demand. */
  ofAgent(agent: AgentRow): Promise<MatrixClient>;
  /** The account for what the person says in the terminal and the viewer. */
  ofOwner(): Promise<MatrixClient>;
  /** The account that asks the person. */
  ofBot(): Promise<MatrixClient>;
  /** The agent behind a user of our homeserver. */
  agentBehind(userId: string): AgentRow | undefined;
  /** Under what id an agent or a person of this machine speaks there. */
  userIdOf(name: string): string;
  /** A token was refused: the next one who asks gets a new one. */
  forget(client: MatrixClient): void;
}

export interface AccountsDeps {
  store: Store;
  homeserver: EmbeddedHomeserver;
  serverName: string;
  /** The owner's name on the homeserver. */
  owner: string;
  /** Ends whatever is under way. */
  ending: AbortSignal;
}

/** Whoever asks the person; nobody else may be called so. */
export const botName = "rookery";

/** Accounts on the embedded homeserver: it hands out tokens to us, in the process, and to nobody else. */
export function openEmbeddedAccounts(deps: AccountsDeps): Accounts {
  const { store, homeserver, serverName, owner, ending } = deps;
  const userIdOf = (localpart: string): string => `@${localpart}:${serverName}`;
  const clients = openClients(async (localpart) => {
    const { accessToken, userId } = await homeserver.ensureUser(localpart, localpart);
    const address = {
      accessToken,
      // It may come back on another port.
      get url() {
        return `http://127.0.0.1:${homeserver.port()}`;
      },
    };
    return makeMatrixClient(address, userId, ending);
  }, ending);
  return {
    isShared: false,
    ownerId: userIdOf(owner),
    ofAgent: ({ name }) => clients.get(name),
    ofOwner: () => clients.get(owner),
    ofBot: () => clients.get(botName),
    agentBehind(userId) {
      const [, localpart = "", server] = /^@([^:]+):(.+)$/.exec(userId) ?? [];
      return server === serverName ? store.agents.byName(localpart) : undefined;
    },
    userIdOf,
    forget: clients.forget,
  };
}

interface Clients {
  get(name: string): Promise<MatrixClient>;
  forget(client: MatrixClient): void;
}

/** Signs everybody in once, however many ask at the same time. Whoever waits when all ends is let go. */
export function openClients(signIn: (name: string) => Promise<MatrixClient>, ending: AbortSignal): Clients {
  const clients = new Map<string, Promise<MatrixClient>>();
  const signedIn = new Map<string, MatrixClient>();
  return {
    get(name) {
      const known = clients.get(name);
      if (known) return known;
      const made = rejectOnAbort(signIn(name), ending);
      clients.set(name, made);
      made.then(
        (client) => signedIn.set(name, client),
        () => clients.delete(name), // Whoever asked hears why; the next one tries again.
      );
      return made;
    },
    // Only this one: another may have signed in anew meanwhile.
    forget(client) {
      for (const [name, known] of signedIn)
        if (known === client) {
          signedIn.delete(name);
          clients.delete(name);
        }
    },
  };
}

/** Rejects when the signal aborts; the work itself cannot be cancelled. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const onAbort = (): void => gone.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
