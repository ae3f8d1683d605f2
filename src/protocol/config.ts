import * as z from "zod";

const settingView = z.object({
  path: z.string(),
  env: z.string(),
  description: z.string(),
  default: z.unknown(),
  /** Only a person may change it. */
  personOnly: z.boolean(),
  /** The allowed values and their meaning; null if any value of its type is allowed. */
  choices: z.array(z.object({ value: z.string(), meaning: z.string() })).nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
});
export type SettingView = z.infer<typeof settingView>;

export const configView = z.object({
  /** The current values in the file and the environment. */
  values: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.string()),
  /** Values that this daemon still uses and that have changed since it started. */
  running: z.record(z.string(), z.unknown()),
  /** Person-only settings that were changed without a person; they take effect only after a person accepts them. */
  unconfirmed: z.array(z.string()),
  keys: z.array(settingView),
});
export type ConfigView = z.infer<typeof configView>;

/** Settings by path; null removes an override. */
export const configPatch = z.record(z.string(), z.unknown());
