import { makeMatrixClient } from "../../matrix-client/client.ts";
import type { MatrixLogin } from "../../matrix-client/login.ts";
import type { Store } from "../../store/open-store.ts";
import { type Accounts, openClients } from "./accounts.ts";

export interface SharedAccountsDeps {
  store: Store;
  signIn(): Promise<MatrixLogin>;
  /** Empty if the user has not said who they are there: then nobody's invitations are accepted. */
  ownerId: string;
  ending: AbortSignal;
}

const userKey = "matrixUser";

/** One account on somebody else's homeserver, through which all agents of this machine speak. */
export function openSharedAccounts({ store, signIn, ownerId, ending }: SharedAccountsDeps): Accounts {
  const clients = openClients(async () => {
    const login = await signIn();
    store.meta.set(userKey, login.userId);
    return makeMatrixClient(login, login.userId, ending);
  }, ending);
  const get = (): ReturnType<Accounts["ofOwner"]> => clients.get("shared");
  return {
    isShared: true,
    ownerId,
    ofAgent: get,
    ofOwner: get,
    ofBot: get,
    // Of another machine's agents, and of people, the server knows only who is who to it.
    agentBehind: () => undefined,
    userIdOf: () => store.meta.get(userKey) ?? "",
    forget: clients.forget,
  };
}
