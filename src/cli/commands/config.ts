import { isDeepStrictEqual } from "node:util";
import { callEndpoint } from "../../client/request.ts";
import { describeUnknownSetting, getPath, isSetting, loadConfig } from "../../config/load.ts";
import { type ConfigKey, listConfigKeys } from "../../config/schema.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { applySettings } from "../apply-settings.ts";
import type { CliContext, Command } from "../command.ts";
import { wrapLines } from "../format.ts";
import { startInstalledDaemon } from "../start-daemon.ts";

interface Setting extends ConfigKey {
  value: unknown;
  /** default, file or environment. */
  source: string | undefined;
}

export const config: Command = {
  summary: "Show all settings, a group or one; change one.",
  usage: "[KEY [VALUE]] [--explain] [--reset] | --accept",
  examples: [
    "rookery config --explain",
    "rookery config notify",
    "rookery config notify.quietHours 22:00-07:00",
    "rookery config notify.quietHours --reset",
    "rookery config --accept",
  ],
  options: { explain: { type: "boolean" }, reset: { type: "boolean" }, accept: { type: "boolean" } },
  optionHelp: {
    explain: "show the meaning, default and source of each value",
    reset: "reset to the default",
    accept: "apply changes in config.json or the environment to settings that only you may change",
  },
  completes: { "": listConfigKeys().map(({ path }) => path) },
  words: { min: 0, max: 2 },
  async run(context, { flags, words: [key, value] }) {
    if (flags.accept === true) return accept(context);
    if (key !== undefined && !isSetting(key))
      throw new AppError("invalid_config", describeUnknownSetting(key));
    if (value !== undefined || flags.reset === true)
      await change(context, key ?? "", value, flags.reset === true);
    const settings = listSettings(context).filter(
      ({ path }) => key === undefined || path === key || path.startsWith(`${key}.`),
    );
    if (context.isJson) context.print(JSON.stringify(settings, null, 2));
    else {
      const isExplained = flags.explain === true || (key !== undefined && settings.length === 1);
      for (const setting of settings) context.print(format(setting, isExplained, context.columns));
      if (isExplained) context.print(`\nFile: ${context.home.config}`);
    }
    return 0;
  },
};

function listSettings({ home, environment }: CliContext): Setting[] {
  const { config: values, sources } = loadConfig(home.config, environment);
  return listConfigKeys().map((key) => ({
    ...key,
    value: getPath(values, key.path),
    source: sources[key.path],
  }));
}

function format(
  { path, value, source, env, description, ...key }: Setting,
  isLong: boolean,
  columns: number,
): string {
  const line = `${path} = ${JSON.stringify(value)}`;
  if (!isLong) return line;
  const origin = `from: ${source}   default: ${JSON.stringify(key.default)}   environment: ${env}`;
  return [
    line,
    wrapLines(description, columns, "    ", "    "),
    wrapLines(origin, columns, "    ", "    "),
  ].join("\n");
}

/** Sends the values that were shown, so that a later edit is not accepted by mistake. */
async function accept(context: CliContext): Promise<number> {
  await startInstalledDaemon(context);
  const { unconfirmed, values, keys } = await callEndpoint(context.address, daemonEndpoints.getConfig);
  const accepted = Object.fromEntries(unconfirmed.map((path) => [path, values[path]]));
  if (unconfirmed.length > 0) {
    const isDefault = (path: string): boolean =>
      keys.some((key) => key.path === path && isDeepStrictEqual(key.default, values[path]));
    const patch = unconfirmed.map((path) => [path, isDefault(path) ? null : values[path]]);
    await applySettings(context, Object.fromEntries(patch));
  }
  if (context.isJson) context.print(JSON.stringify({ accepted }));
  else if (unconfirmed.length === 0) context.print("No setting needs your confirmation.");
  else
    for (const [path, value] of Object.entries(accepted))
      context.print(`Accepted: ${path} = ${JSON.stringify(value)}`);
  return 0;
}

/** The daemon checks the setting, writes config.json and restarts. */
async function change(
  context: CliContext,
  key: string,
  value: string | undefined,
  isReset: boolean,
): Promise<void> {
  const setting = listSettings(context).find(({ path }) => path === key);
  if (!setting || isReset === (value !== undefined))
    throw new AppError("invalid_argument", "Name one setting and give a VALUE or --reset.");
  await applySettings(context, { [key]: value === undefined ? null : readValue(setting, value) });
  if (setting.source === "environment")
    context.printNote(
      setting.personOnly
        ? `${setting.env} is set in this environment; another value there is not in force until you accept it.`
        : `${setting.env} is set in this environment and takes precedence over the file.`,
    );
}

/** Strings as they are, lists separated by commas, all else as JSON. The daemon validates the value. */
function readValue({ default: usual }: Setting, text: string): unknown {
  if (typeof usual === "string") return text;
  if (Array.isArray(usual) && !text.startsWith("[")) return text.split(",").map((part) => part.trim());
  try {
    return parseJson(text);
  } catch {
    return text; // The schema's error names the expected type.
  }
}
