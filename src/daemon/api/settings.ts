import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import { listShapedKeys } from "../../config/key-shapes.ts";
import {
  describeUnknownSetting,
  getPath,
  isSetting,
  type LoadedConfig,
  loadConfig,
  parseConfig,
  readConfigFile,
  setPath,
} from "../../config/load.ts";
import { type Config, listPersonOnly } from "../../config/schema.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { Peer } from "../../http/peer.ts";
import type { ConfigView } from "../../protocol/config.ts";
import type { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import type { embeddingsEndpoints } from "../../protocol/endpoints/embeddings.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit } from "../ask/audit.ts";
import type { RequirePerson } from "../ask/require-person.ts";
import type { Embeddings } from "../memory/embeddings.ts";
import type { ConfirmedSettings } from "./confirmed-settings.ts";

interface SettingsDeps {
  home: Pick<Home, "config">;
  environment: Environment;
  /** The settings in force. */
  loaded: LoadedConfig;
  confirmed: ConfirmedSettings;
  embeddings: Pick<Embeddings, "tryEndpoint">;
  person: { audit: Audit; requirePerson: RequirePerson };
}

export interface Settings {
  handlers: Handlers<Pick<typeof daemonEndpoints, "getConfig" | "changeConfig"> & typeof embeddingsEndpoints>;
  /** Cheap, because every status report calls it. */
  listUnconfirmed(): string[];
}

/** The settings endpoints. They read the files on each request; changes take effect at the next start. */
export function openSettings(deps: SettingsDeps): Settings {
  const { environment, loaded, confirmed, person } = deps;
  const configFile = deps.home.config;
  const about = { action: "change-setting", place: "api" } as const;

  function view(): ConfigView {
    const { config, sources } = loadConfig(configFile, environment);
    const keys = listShapedKeys();
    const read = (from: Config, path: string): unknown => getPath(from, path);
    const old = keys.filter(({ path }) => !isDeepStrictEqual(read(config, path), read(loaded.config, path)));
    return {
      values: Object.fromEntries(keys.map(({ path }) => [path, read(config, path)])),
      running: Object.fromEntries(old.map(({ path }) => [path, read(loaded.config, path)])),
      unconfirmed: confirmed.listUnconfirmed(config),
      sources,
      keys,
    };
  }

  function listUnconfirmed(): string[] {
    try {
      return confirmed.listUnconfirmed(loadConfig(configFile, environment).config);
    } catch {
      return []; // The file became invalid after the start; `rookery doctor` shows the error.
    }
  }

  const unconfirmed = listUnconfirmed();
  // Reported once per list: the daemon may start many times before a person reads it.
  if (confirmed.isUnreported(unconfirmed)) {
    const detail = `${unconfirmed.join(", ")}: changed in config.json or the environment, not by a person`;
    person.audit.record({ ...about, place: "start", result: "refused", who: "unknown", detail });
  }

  function recordAccepted(detail: string): void {
    person.audit.record({ ...about, result: "accepted", who: "a person on this machine", detail });
  }

  async function change(patch: Record<string, unknown>, peer: Peer): Promise<ConfigView> {
    const paths = Object.keys(patch);
    // Checked first: a path such as __proto__.x would otherwise modify every object.
    for (const path of paths)
      if (!isSetting(path)) throw new AppError("invalid_config", describeUnknownSetting(path));
    const decided = paths.filter((path) => listPersonOnly(path).length > 0);
    const subject = decided.join(", ");
    if (decided.length > 0) await person.requirePerson(peer, { ...about, subject });
    const tree = readConfigFile(configFile);
    for (const [path, value] of Object.entries(patch))
      setPath(tree, path, value === null ? undefined : value);
    const config = parseConfig(tree);
    writeFileSync(configFile, `${JSON.stringify(tree, null, 2)}\n`, { mode: 0o600 });
    if (decided.length > 0) {
      confirmed.confirm(
        decided.flatMap((path) => listPersonOnly(path).map((key) => key.path)),
        config,
      );
      recordAccepted(subject);
    }
    return view();
  }

  return {
    listUnconfirmed,
    handlers: {
      getConfig: view,
      changeConfig: ({ body, caller: { peer } }) => change(body, peer),
      // Sends a text, and perhaps a key, to any address: only a person may decide that.
      async tryEmbeddings({ body, caller: { peer } }) {
        await person.requirePerson(peer, { ...about, subject: "embeddings (trial)" });
        const trial = await deps.embeddings.tryEndpoint(body);
        recordAccepted(`embeddings (trial): ${trial.provider} at ${trial.baseUrl}`);
        return trial;
      },
    },
  };
}
