import { makeMatrixClient } from "../../matrix-client/client.ts";
import type { MatrixLogin } from "../../matrix-client/login.ts";
import type { Store } from "../../store/open-store.ts";
import { type Accounts, openClients } from "./accounts.ts";

export interface SharedAccountsDeps {
  store: Store;
  signIn(): Promise<MatrixLogin>;
  /** Empty if the user has not configured their id there: then all invitations are refused. */
  ownerId: string;
  ending: AbortSignal;
}

const userKey = "matrixUser";

/** One account on another homeserver, through which all agents of this machine speak. */
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
    // The server does not say which agents are behind an account of another machine.
    agentBehind: () => undefined,
    userIdOf: () => store.meta.get(userKey) ?? "",
    forget: clients.forget,
  };
}
