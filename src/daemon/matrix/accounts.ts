import { makeMatrixClient, type MatrixClient } from "../../matrix-client/client.ts";
import type { MatrixLogin } from "../../matrix-client/login.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import type { Machine } from "../../domain/mail/machine.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";

/** The accounts of our agents on the homeserver. */
export interface Accounts {
  /** Whether one account sends the messages of all agents of this machine, prefixed with their names. */
  readonly isShared: boolean;
  /**
   * Whether the homeserver is not ours: people have their own accounts there, rooms are by invitation, and what is private
   * is not published.
   */
  readonly isOutside: boolean;
  readonly machine: Machine;
  /** The owner of this machine. */
  readonly ownerId: string;
  /** The account of an agent; created on demand. */
  clientOfAgent(agent: AgentRow): Promise<MatrixClient>;
  /** The account for messages that the person writes in the terminal and the viewer; outside, the machine's own. */
  clientOfOwner(): Promise<MatrixClient>;
  /** The user id of that account. */
  speakerId(): string;
  /** The account that sends questions to the person. */
  clientOfBot(): Promise<MatrixClient>;
  /** The agent behind a user of our homeserver. */
  findAgent(userId: string): AgentRow | undefined;
  /** The user id of an agent of this machine. */
  userIdOf(name: string): string;
  /** Whether to accept invitations from this user. */
  mayInvite(userId: string | undefined): boolean;
  /** Drops a client whose token was refused; the next call signs in again. */
  forget(client: MatrixClient): void;
}

interface AccountsDeps {
  store: Store;
  machine: Machine;
  homeserver: EmbeddedHomeserver;
  serverName: string;
  /** The owner's name on the homeserver. */
  owner: string;
  /** Aborts all running calls. */
  ending: AbortSignal;
}

/** The account that sends questions to the person. The name is reserved. */
export const botName = "rookery";

/** Accounts on the embedded homeserver, which issues tokens only to this process. */
export function openEmbeddedAccounts(deps: AccountsDeps): Accounts {
  const { store, machine, homeserver, serverName, owner, ending } = deps;
  const userIdOf = (localpart: string): string => `@${localpart}:${serverName}`;
  const clients = openClients(async (localpart) => {
    const { accessToken, userId } = await homeserver.ensureUser(localpart, localpart);
    const address = {
      accessToken,
      // It may restart on another port.
      get url() {
        const port = homeserver.port();
        if (port === undefined) throw new MatrixError(0, "unreachable", "the homeserver is not running");
        return `http://127.0.0.1:${port}`;
      },
    };
    return makeMatrixClient(address, userId, ending, homeserver.writes);
  }, ending);
  return {
    isShared: false,
    isOutside: false,
    machine,
    ownerId: userIdOf(owner),
    speakerId: () => userIdOf(owner),
    clientOfAgent: ({ name }) => clients.get(name),
    clientOfOwner: () => clients.get(owner),
    clientOfBot: () => clients.get(botName),
    findAgent(userId) {
      const [, localpart = "", server] = /^@([^:]+):(.+)$/.exec(userId) ?? [];
      return server === serverName ? store.agents.byName(localpart) : undefined;
    },
    userIdOf,
    // The owner approved every user of this homeserver.
    mayInvite: () => true,
    forget: clients.forget,
  };
}

export interface OutsideAccountsDeps {
  store: Store;
  machine: Machine;
  signIn(): Promise<MatrixLogin>;
  /** Empty if the user has not configured their id there. */
  ownerId: string;
  /** Other users whose invitations are accepted; `@*:server` means everyone there. */
  invitedBy: readonly string[];
  ending: AbortSignal;
}

/** Our account, or the one of our application service. */
export const userKey = "matrixUser";

/** One account on another homeserver, through which all agents of this machine speak. */
export function openSharedAccounts({
  store,
  machine,
  signIn,
  ownerId,
  invitedBy,
  ending,
}: OutsideAccountsDeps): Accounts {
  const clients = openClients(async () => {
    const login = await signIn();
    store.meta.set(userKey, login.userId);
    return makeMatrixClient(login, login.userId, ending);
  }, ending);
  const get = (): ReturnType<Accounts["clientOfOwner"]> => clients.get("shared");
  const speakerId = (): string => store.meta.get(userKey) ?? "";
  return {
    isShared: true,
    isOutside: true,
    machine,
    ownerId,
    clientOfAgent: get,
    clientOfOwner: get,
    clientOfBot: get,
    // The server does not say which agents are behind an account of another machine.
    findAgent: () => undefined,
    userIdOf: speakerId,
    speakerId,
    mayInvite: (userId) => isInviter(userId, ownerId, invitedBy),
    forget: clients.forget,
  };
}

/** Whether a user of another homeserver may invite us. */
export function isInviter(
  userId: string | undefined,
  ownerId: string,
  invitedBy: readonly string[],
): userId is string {
  if (userId === undefined) return false;
  const anyoneThere = userId.replace(/^@[^:]*/, "@*");
  return userId === ownerId || invitedBy.some((allowed) => allowed === userId || allowed === anyoneThere);
}

interface Clients {
  get(name: string): Promise<MatrixClient>;
  forget(client: MatrixClient): void;
}

/** Concurrent sign-ins for one name share one request. Waiting callers are rejected at shutdown. */
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
        () => clients.delete(name), // The caller gets the error; the next call tries again.
      );
      return made;
    },
    // Only this client: another may have signed in since.
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
