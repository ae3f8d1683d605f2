import { makeMatrixClient } from "../../matrix-client/client.ts";
import { ensureServiceUser } from "../../matrix-client/login.ts";
import {
  type Accounts,
  botName,
  isInviter,
  openClients,
  type OutsideAccountsDeps,
  userKey,
} from "./accounts.ts";

/**
 * An account for each agent on another homeserver, created with the token of an application service. Messages and
 * questions of this machine come from an account of its own. All machines of a team can use one service, so user ids
 * contain the machine's id: `@rk_1a2b3c4d_api-jay:example.org`.
 */
export function openServiceAccounts({
  store,
  machine,
  signIn,
  ownerId,
  invitedBy,
  ending,
}: OutsideAccountsDeps): Accounts {
  const machineUser = `rk_${machine.id.replace(/^ROOKERY/, "").toLowerCase()}`;
  const localpartOf = (agent: string): string => `${machineUser}_${agent}`;
  const toUserId = (localpart: string): string => {
    const service = store.meta.get(userKey) ?? "";
    return `@${localpart}${service.slice(service.indexOf(":"))}`;
  };
  const speakerId = (): string => toUserId(machineUser);
  const clients = openClients(async (localpart) => {
    const service = await signIn();
    store.meta.set(userKey, service.userId);
    const userId = toUserId(localpart);
    const isNew = await ensureServiceUser(service, localpart);
    const client = makeMatrixClient({ ...service, actingAs: userId }, userId, ending);
    const agent = localpart.slice(machineUser.length + 1);
    if (isNew) await client.setDisplayName(`${agent || "Rookery"}@${machine.name}`);
    return client;
  }, ending);
  const clientOfMachine = (): ReturnType<Accounts["clientOfOwner"]> => clients.get(machineUser);

  function findAgent(userId: string): ReturnType<Accounts["findAgent"]> {
    const [, localpart = ""] = /^@([^:]+):/.exec(userId) ?? [];
    if (userId !== toUserId(localpart) || !localpart.startsWith(`${machineUser}_`)) return undefined;
    return store.agents.byName(localpart.slice(machineUser.length + 1));
  }

  return {
    isShared: false,
    isOutside: true,
    machine,
    ownerId,
    clientOfAgent: ({ name }) => clients.get(localpartOf(name)),
    clientOfOwner: clientOfMachine,
    speakerId,
    clientOfBot: clientOfMachine,
    findAgent,
    userIdOf: (name) => (name === botName ? speakerId() : toUserId(localpartOf(name))),
    mayInvite: (userId) =>
      isInviter(userId, ownerId, invitedBy) ||
      (userId !== undefined && (userId === speakerId() || findAgent(userId) !== undefined)),
    forget: clients.forget,
  };
}
