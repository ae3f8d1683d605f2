/** `GET /api/config` and what `PATCH /api/config` answers. */
export interface ConfigView {
  /** As file and environment have them now. */
  values: Record<string, unknown>;
  sources: Record<string, string>;
  /** What this daemon still goes by, where that is something else: it read them when it started. */
  running: Record<string, unknown>;
  keys: SettingView[];
}

export interface SettingView {
  path: string;
  env: string;
  description: string;
  default: unknown;
  /** Where only these values fit, with what each means. */
  choices: { value: string; meaning: string }[] | null;
  least: number | null;
  most: number | null;
}
