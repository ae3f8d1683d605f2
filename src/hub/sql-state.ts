/** PostgreSQL's code of an error, or of its cause; undefined if it did not come from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause === undefined ? undefined : sqlStateOf(cause);
}
