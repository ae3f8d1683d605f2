/** The innermost cause: `fetch` wraps the reason of a failed connection. */
export function describeCause(thrown: unknown): string {
  let cause = thrown;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
