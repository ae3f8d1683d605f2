/** `GET /api/config` and what `PATCH /api/config` answers. */
export interface ConfigView {
  /** As file and environment have them now. */
  values: Record<string, unknown>;
  sources: Record<string, string>;
  /** What this daemon still goes by, where that is something else: it read them when it started. */
  running: Record<string, unknown>;
  /** Person-only settings that were changed without a person: not in force until one accepts them. */
  unconfirmed: string[];
  keys: SettingView[];
}

export interface SettingView {
  path: string;
  env: string;
  description: string;
  default: unknown;
  /** Only a person may change it. */
  personOnly: boolean;
  /** Where only these values fit, with what each means. */
  choices: { value: string; meaning: string }[] | null;
  least: number | null;
  most: number | null;
}
