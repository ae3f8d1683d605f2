/** `GET /api/config` */
export interface ConfigView {
  values: Record<string, unknown>;
  sources: Record<string, string>;
  keys: { path: string; env: string; description: string; default: unknown }[];
}
