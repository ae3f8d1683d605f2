import { isDeepStrictEqual } from "node:util";
import { getPath, type LoadedConfig, parseConfig, setPath } from "../../config/load.ts";
import { type Config, type ConfigKey, listConfigKeys } from "../../config/schema.ts";
import type { MetaTable } from "../../store/meta.ts";
import { parseJson } from "../../shared/json.ts";

/**
 * The person-only settings as a person last confirmed them. An agent can edit config.json or start the daemon with its
 * own environment variables; such a change takes effect only after a person accepts it.
 */
export interface ConfirmedSettings {
  /** The given settings, with every unconfirmed value replaced by the confirmed one. */
  enforce(loaded: LoadedConfig): LoadedConfig;
  /** Person-only settings whose value no person has confirmed. */
  listUnconfirmed(config: Config): string[];
  confirm(paths: readonly string[], config: Config): void;
  /** True if this list has not been reported before. */
  isUnreported(unconfirmed: readonly string[]): boolean;
}

const confirmedKey = "settings.confirmed";
const reportedKey = "settings.reported";

/** In a new home the settings of the first start count as confirmed: there is no data to protect yet. */
export function openConfirmedSettings(meta: MetaTable, first: Config): ConfirmedSettings {
  const keys = listConfigKeys().filter(({ personOnly }) => personOnly);
  const read = (config: Config, { path }: ConfigKey): unknown => getPath(config, path);

  /** Only values that differ from the default: a default may change with a new version. */
  const confirmed = parseJson(
    meta.getOrCreate(confirmedKey, () => JSON.stringify(pickChanged(first))),
  ) as Record<string, unknown>;

  function pickChanged(config: Config): Record<string, unknown> {
    const changed = keys.filter((key) => !isDeepStrictEqual(read(config, key), key.default));
    return Object.fromEntries(changed.map((key) => [key.path, read(config, key)]));
  }

  function confirmedValue({ path, default: usual }: ConfigKey): unknown {
    return Object.hasOwn(confirmed, path) ? confirmed[path] : usual;
  }

  const findUnconfirmed = (config: Config): ConfigKey[] =>
    keys.filter((key) => !isDeepStrictEqual(read(config, key), confirmedValue(key)));

  return {
    enforce({ config, sources }) {
      const unconfirmed = findUnconfirmed(config);
      if (unconfirmed.length === 0) return { config, sources };
      const held = structuredClone(config);
      for (const key of unconfirmed) setPath(held, key.path, confirmedValue(key));
      try {
        return { config: parseConfig(held), sources };
      } catch {
        // A newer version may reject a confirmed value; the default is safe.
        for (const key of unconfirmed) setPath(held, key.path, key.default);
        return { config: parseConfig(held), sources };
      }
    },
    listUnconfirmed: (config) => findUnconfirmed(config).map(({ path }) => path),
    confirm(paths, config) {
      const changed = pickChanged(config);
      for (const path of paths) {
        if (Object.hasOwn(changed, path)) confirmed[path] = changed[path];
        else delete confirmed[path];
      }
      meta.set(confirmedKey, JSON.stringify(confirmed));
    },
    isUnreported(unconfirmed) {
      const list = JSON.stringify(unconfirmed);
      if (list === (meta.get(reportedKey) ?? "[]")) return false;
      meta.set(reportedKey, list);
      return unconfirmed.length > 0;
    },
  };
}
