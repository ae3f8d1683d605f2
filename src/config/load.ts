import { readFileSync } from "node:fs";
import type * as z from "zod";
import { describeIssue } from "../shared/describe-issue.ts";
import { AppError } from "../shared/errors.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { findNearest } from "../shared/find-nearest.ts";
import type { Environment } from "./environment.ts";
import { type Config, configSchema, listConfigKeys } from "./schema.ts";

type ConfigSource = "default" | "file" | "environment";

export interface LoadedConfig {
  config: Config;
  /** Where each key's value came from. */
  sources: Record<string, ConfigSource>;
}

type Tree = { [key: string]: unknown };

/** Defaults < file < environment. Anything unknown or of the wrong type is an error that names the key. */
export function loadConfig(configFile: string, environment: Environment): LoadedConfig {
  const { tree, sources } = readOverrides(configFile, environment);
  return { config: parseConfig(tree), sources };
}

/** Lists all invalid settings at once; throws only if the file itself cannot be read. */
export function listConfigIssues(configFile: string, environment: Environment): string[] {
  const parsed = configSchema.safeParse(readOverrides(configFile, environment).tree);
  return parsed.success ? [] : parsed.error.issues.flatMap(describeConfigIssue);
}

function readOverrides(
  configFile: string,
  environment: Environment,
): { tree: Tree } & Pick<LoadedConfig, "sources"> {
  const tree = readConfigFile(configFile);
  const sources: Record<string, ConfigSource> = {};
  for (const { path, env } of listConfigKeys()) {
    const fromEnv = environment[env];
    sources[path] = fromEnv ? "environment" : getPath(tree, path) === undefined ? "default" : "file";
    if (fromEnv) setPath(tree, path, parseScalar(fromEnv));
  }
  return { tree, sources };
}

/** The overrides in the file, not validated; empty if there is no file. */
export function readConfigFile(configFile: string): Tree {
  let text: string;
  try {
    text = readFileSync(configFile, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new AppError("invalid_config", `Cannot read ${configFile}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    const tree: unknown = parseJson(text);
    if (isRecord(tree)) return tree;
    throw new Error("must be a JSON object");
  } catch (cause) {
    throw new AppError("invalid_config", `${configFile} is not valid: ${(cause as Error).message}`, {
      cause,
    });
  }
}

export function parseConfig(tree: unknown): Config {
  const parsed = configSchema.safeParse(tree);
  if (parsed.success) return parsed.data;
  const [first = "The configuration is not valid."] = parsed.error.issues.flatMap(describeConfigIssue);
  throw new AppError("invalid_config", first);
}

function describeConfigIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join(".");
  if (issue.code !== "unrecognized_keys")
    return [`${path ? `Setting ${path}` : "The configuration"} ${describeIssue(issue)}.`];
  return issue.keys.map((key) => describeUnknownSetting([...issue.path, key].join(".")));
}

export function describeUnknownSetting(key: string): string {
  const guess = findNearest(
    key,
    listConfigKeys().map((known) => known.path),
  );
  return `Unknown setting ${key}.${guess ? ` Did you mean ${guess}?` : ""}`;
}

/** True for the path of a setting or of a group of settings. */
export function isSetting(path: string): boolean {
  return listConfigKeys().some((known) => known.path === path || known.path.startsWith(`${path}.`));
}

function parseScalar(text: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
}

export function getPath(tree: Tree, path: string): unknown {
  return path.split(".").reduce<unknown>((node, key) => (node as Tree | undefined)?.[key], tree);
}

export function setPath(tree: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() as string;
  let node = tree;
  for (const key of keys) {
    const next = node[key];
    if (typeof next !== "object" || next === null) node[key] = {};
    node = node[key] as Tree;
  }
  node[last] = value;
}
