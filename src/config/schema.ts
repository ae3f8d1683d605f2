import * as z from "zod";
import { personOnly } from "./person-only.ts";
import { logLevels } from "../shared/log.ts";
import { hubSettings } from "./hub-settings.ts";
import { matrixSettings } from "./matrix-settings.ts";
import { memorySettings } from "./memory-settings.ts";
import { reachSettings } from "./reach-settings.ts";

/**
 * The one description of every setting: types, validation, `config --explain` and docs come from here.
 * The environment variable of `a.b` is `ROOKERY_A_B`.
 */
export const configSchema = z.strictObject({
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(37777)
    .describe(
      "Port of the viewer and the API on 127.0.0.1. 0 means any free port; if the port is in use, a free one is used.",
    ),
  log: z
    .strictObject({
      level: z.enum(logLevels).default("info").describe("Log level of the daemon."),
    })
    .prefault({}),
  delivery: z
    .strictObject({
      wake: z.boolean().default(true).describe("Wake an idle session when a message for it arrives."),
      characters: z
        .number()
        .int()
        .min(1000)
        .max(9500)
        .default(8000)
        .describe("Max characters added to a session at one point; the rest waits for the next point."),
    })
    .prefault({}),
  upgrade: z
    .strictObject({
      automatic: z
        .boolean()
        .default(true)
        .describe(
          "After a session has started, upgrade if the folder that Rookery was installed from has a newer build.",
        )
        .meta(personOnly),
    })
    .prefault({}),
  ...memorySettings,
  ...reachSettings,
  ...matrixSettings,
  ...hubSettings,
});

export type Config = z.infer<typeof configSchema>;

export interface ConfigKey {
  path: string;
  env: string;
  description: string;
  default: unknown;
  /** Only a person may change it. */
  personOnly: boolean;
}

/** All settings in schema order. */
export function listConfigKeys(schema: z.ZodObject = configSchema, prefix = ""): ConfigKey[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    const inner = unwrap(field as z.ZodType);
    if (inner instanceof z.ZodObject) return listConfigKeys(inner, path);
    const leaf = field as z.ZodDefault<z.ZodType>;
    const { description = "", personOnly: isPersonOnly } = leaf.meta() ?? {};
    return [
      {
        path,
        env: envName(path),
        description,
        default: leaf.def.defaultValue,
        personOnly: isPersonOnly === true,
      },
    ];
  });
}

/** The person-only settings at this path or in its group. */
export function listPersonOnly(path: string): ConfigKey[] {
  return listConfigKeys().filter(
    (key) => key.personOnly && (key.path === path || key.path.startsWith(`${path}.`)),
  );
}

function unwrap(field: z.ZodType): unknown {
  return field instanceof z.ZodPrefault ? field.def.innerType : field;
}

function envName(path: string): string {
  return `ROOKERY_${path
    .replace(/[.]/g, "_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()}`;
}
