import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import { readOwnerName } from "../../config/owner-name.ts";
import type { Config } from "../../config/schema.ts";
import { readSecrets } from "../../config/secrets.ts";
import { type MatrixLogin, signIn } from "../../matrix-client/login.ts";
import type { Machine } from "../../domain/mail/machine.ts";
import { toMachineName } from "../../shared/machine-name.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";
import { type Accounts, openEmbeddedAccounts, openSharedAccounts } from "./accounts.ts";
import { openServiceAccounts } from "./service-accounts.ts";
import { makeEmbeddedAdmin, makeRemoteAdmin, type HomeserverAdmin } from "./homeserver-admin.ts";
import { openManagedHomeserver } from "./managed-homeserver.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** The homeserver in use: embedded, managed or remote. */
export interface MatrixConnection {
  accounts: Accounts;
  admin: HomeserverAdmin;
  /** Name of the person at this machine, as others see it. */
  owner: string;
  start(): void;
  /** Cancels every running call; the work is repeated after the next start. */
  cancelCalls(): void;
  stop(): Promise<void>;
}

interface MatrixConnectionDeps extends Pick<DaemonContext, "store" | "log" | "environment"> {
  config: Config["matrix"];
  home: Pick<Home, "secrets" | "managedMatrix">;
  /** The embedded homeserver, if it is in use. */
  embedded: EmbeddedHomeserver | undefined;
}

/** The device of this machine on another homeserver: signing in with another machine's device would end its session. */
function readDeviceId(store: Store): string {
  return store.meta.getOrCreate(
    "matrix-device",
    () => `ROOKERY${randomBytes(4).toString("hex").toUpperCase()}`,
  );
}

function readMachine(store: Store, { machine }: Config["matrix"]): Machine {
  return { id: readDeviceId(store), name: machine || toMachineName(hostname()) };
}

/** Undefined if Matrix is off. */
export function openMatrixConnection(deps: MatrixConnectionDeps): MatrixConnection | undefined {
  const { store, log, config, home, environment, embedded } = deps;
  if (!config.enabled) return undefined;
  if (embedded) return openEmbedded(store, embedded, config);
  if (config.homeserver === "managed") {
    const { command, serverName, port } = config;
    const managed = openManagedHomeserver({
      command,
      serverName,
      port,
      environment,
      log,
      folder: home.managedMatrix,
      secretsFile: home.secrets,
    });
    return openOutside(store, config, "managed", managed);
  }
  const url = config.homeserver;
  return openOutside(store, config, "outside", {
    url: () => url,
    signIn: () => signInRemote(url, home.secrets, environment, readDeviceId(store)),
    start() {},
    async stop() {},
  });
}

function openEmbedded(
  store: Store,
  homeserver: EmbeddedHomeserver,
  config: Config["matrix"],
): MatrixConnection {
  const { serverName, publicUrl } = config;
  const owner = readOwnerName({ matrix: config });
  const ending = new AbortController();
  return {
    accounts: openEmbeddedAccounts({
      store,
      machine: readMachine(store, config),
      homeserver,
      serverName,
      owner,
      ending: ending.signal,
    }),
    admin: makeEmbeddedAdmin(homeserver, serverName, publicUrl),
    owner,
    start: homeserver.start,
    cancelCalls: () => ending.abort(),
    stop: homeserver.stop,
  };
}

interface RemoteServer {
  url(): string;
  signIn(): Promise<MatrixLogin>;
  start(): void;
  stop(): Promise<void>;
}

function openOutside(
  store: Store,
  config: Config["matrix"],
  kind: "managed" | "outside",
  { url, signIn: enter, start, stop }: RemoteServer,
): MatrixConnection {
  const ending = new AbortController();
  const ownerId = config.owner.startsWith("@") ? config.owner : "";
  const isService = kind === "outside" && config.accounts === "agents";
  const accounts = (isService ? openServiceAccounts : openSharedAccounts)({
    store,
    machine: readMachine(store, config),
    signIn: enter,
    ownerId,
    invitedBy: config.invitedBy,
    ending: ending.signal,
  });
  return {
    accounts,
    admin: makeRemoteAdmin(kind, url, accounts),
    owner: readOwnerName({ matrix: config }),
    start,
    cancelCalls: () => ending.abort(),
    stop,
  };
}

/** The user's credentials: a token (ROOKERY_MATRIX_TOKEN first), or user and password. */
async function signInRemote(
  url: string,
  secretsFile: string,
  environment: Environment,
  deviceId: string,
): Promise<MatrixLogin> {
  const { accessToken: stored, user, password } = readSecrets(secretsFile).matrix;
  const accessToken = environment.ROOKERY_MATRIX_TOKEN || stored;
  return signIn(url, { accessToken, user, password, deviceId });
}
