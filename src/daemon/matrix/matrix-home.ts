import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import { readOwnerName } from "../../config/owner-name.ts";
import type { Config } from "../../config/schema.ts";
import { readSecrets } from "../../config/secrets.ts";
import { type MatrixLogin, signIn } from "../../matrix-client/login.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";
import { type Accounts, openEmbeddedAccounts, openSharedAccounts } from "./accounts.ts";
import { faceEmbedded, faceOutside, type HomeserverFace } from "./homeserver-face.ts";
import { openManagedHomeserver } from "./managed-homeserver.ts";

/** The homeserver in use: embedded, managed or remote. */
export interface MatrixHome {
  accounts: Accounts;
  face: HomeserverFace;
  /** Name of the person at this machine, as others see it. */
  owner: string;
  start(): void;
  /** Cancels every running call; the work is repeated after the next start. */
  end(): void;
  stop(): Promise<void>;
}

interface MatrixHomeDeps {
  store: Store;
  log: Log;
  config: Config["matrix"];
  home: Pick<Home, "secrets" | "managedMatrix">;
  environment: Environment;
  /** The embedded homeserver, if it is in use. */
  embedded: EmbeddedHomeserver | undefined;
}

/** The device that Rookery signs in as on another homeserver. */
const deviceId = "ROOKERY";

/** Undefined if Matrix is off. */
export function openMatrixHome(deps: MatrixHomeDeps): MatrixHome | undefined {
  const { store, log, config, home, environment, embedded } = deps;
  if (!config.enabled) return undefined;
  if (embedded) return openEmbeddedHome(store, embedded, config);
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
    return openSharedHome(store, config, "managed", managed);
  }
  const url = config.homeserver;
  return openSharedHome(store, config, "outside", {
    url: () => url,
    signIn: () => signInOutside(url, home.secrets, environment),
    start() {},
    async stop() {},
  });
}

function openEmbeddedHome(
  store: Store,
  homeserver: EmbeddedHomeserver,
  config: Config["matrix"],
): MatrixHome {
  const { serverName, publicUrl } = config;
  const owner = readOwnerName({ matrix: config });
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

interface ForeignServer {
  url(): string;
  signIn(): Promise<MatrixLogin>;
  start(): void;
  stop(): Promise<void>;
}

/** One account on it speaks for all agents of this machine. */
function openSharedHome(
  store: Store,
  config: Config["matrix"],
  kind: "managed" | "outside",
  { url, signIn: enter, start, stop }: ForeignServer,
): MatrixHome {
  const ending = new AbortController();
  const ownerId = config.owner.startsWith("@") ? config.owner : "";
  const accounts = openSharedAccounts({ store, signIn: enter, ownerId, ending: ending.signal });
  return {
    accounts,
    face: faceOutside(kind, url, accounts),
    owner: readOwnerName({ matrix: config }),
    start,
    end: () => ending.abort(),
    stop,
  };
}

/** The user's credentials: a token (ROOKERY_MATRIX_TOKEN first), or user and password. */
async function signInOutside(
  url: string,
  secretsFile: string,
  environment: Environment,
): Promise<MatrixLogin> {
  const { accessToken: stored, user, password } = readSecrets(secretsFile).matrix;
  const accessToken = environment.ROOKERY_MATRIX_TOKEN || stored;
  return signIn(url, { accessToken, user, password, deviceId });
}
