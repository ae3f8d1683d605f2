import { AppError } from "../shared/errors.ts";
import { isLocalpart } from "./rules/identifiers.ts";
import type { Homeserver } from "./server.ts";
import type { ErasureReport, ErasureRequest } from "./services/erasure.ts";
import { hashPassword } from "./services/passwords.ts";

/** How whoever runs the server steers it: by calls in the process, never over the network. */
export interface HomeserverControl {
  /** A user without a password, made if there is none, and a token for it. The token it had before ends. */
  ensureUser(input: { localpart: string; displayName?: string | undefined }): SignedIn;
  /** Somebody who signs in with a password; made if there is none. */
  setPassword(input: { localpart: string; password: string }): Promise<{ userId: string; isNew: boolean }>;
  setRegistration(input: { isOpen: boolean }): void;
  stats(): HomeserverStats;
  /** Takes back, and erases, what the owner of this machine wants forgotten. */
  erase(request: ErasureRequest): Promise<ErasureReport>;
}

export interface SignedIn {
  userId: string;
  deviceId: string;
  accessToken: string;
}

export interface HomeserverStats {
  users: number;
  rooms: number;
  events: number;
  /** Long polls held now. */
  waiting: number;
  isRegistrationOpen: boolean;
}

const ownDevice = "ROOKERY";

export function makeControl({ services, upkeep }: Homeserver): HomeserverControl {
  const { accounts, sessions, membership, ledger, clock, serverName, registration } = services;

  function ensureAccount(localpart: string): { userId: string; isNew: boolean } {
    if (!isLocalpart(localpart))
      throw new AppError("invalid_argument", `${localpart} cannot be a Matrix user name.`);
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
        membership.spreadProfile(userId);
      }
      const { session, accessToken } = sessions.open(userId, { deviceId: ownDevice, name: "Rookery" });
      ledger.flush();
      return { userId, deviceId: session.deviceId, accessToken };
    },
    async setPassword({ localpart, password }) {
      const hash = await hashPassword(password);
      const made = ensureAccount(localpart);
      accounts.setPassword(made.userId, hash);
      ledger.flush();
      return made;
    },
    setRegistration: ({ isOpen }) => void (registration.isOpen = isOpen),
    stats: () => ({
      users: accounts.count(),
      rooms: services.rooms.count(),
      events: services.log.count(),
      waiting: services.wake.waiting(),
      isRegistrationOpen: registration.isOpen,
    }),
    erase: (request) => services.erasure.run(request, upkeep),
  };
}
