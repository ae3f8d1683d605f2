import { AppError } from "../shared/errors.ts";
import type { HomeserverControl } from "./contract.ts";
import { isLocalpart } from "./rules/identifiers.ts";
import type { Homeserver } from "./server.ts";
import { hashPassword } from "./services/passwords.ts";

const ownDevice = "ROOKERY";

export function makeControl({ services, upkeep }: Homeserver): HomeserverControl {
  const { accounts, sessions, membership, db, clock, serverName, registration } = services;

  function ensureAccount(localpart: string): { userId: string; isNew: boolean } {
    if (!isLocalpart(localpart))
      throw new AppError("invalid_argument", `"${localpart}" is not a valid Matrix user name.`);
    const userId = `@${localpart}:${serverName}`;
    const isNew = accounts.find(userId) === undefined;
    if (isNew) accounts.create(userId, undefined, clock());
    return { userId, isNew };
  }

  return {
    ensureUser({ localpart, displayName }) {
      const { userId } = ensureAccount(localpart);
      if (displayName !== undefined && accounts.get(userId).displayName !== displayName) {
        accounts.setProfile(userId, "displayname", displayName);
        membership.propagateProfile(userId);
      }
      const { session, accessToken } = sessions.open(userId, { deviceId: ownDevice, name: "Rookery" });
      db.flush();
      return { userId, deviceId: session.deviceId, accessToken };
    },
    async setPassword({ localpart, password }) {
      const hash = await hashPassword(password);
      const made = ensureAccount(localpart);
      accounts.setPassword(made.userId, hash);
      db.flush();
      return made;
    },
    setRegistration: ({ isOpen }) => void (registration.isOpen = isOpen),
    stats: () => ({
      users: accounts.count(),
      rooms: services.rooms.count(),
      events: services.log.count(),
      waiting: services.waker.countWaiting(),
      isRegistrationOpen: registration.isOpen,
    }),
    erase: (request) => services.erasure.run(request, upkeep),
  };
}
