/** A request to shut down: from a signal, a client or damage to the database. Only the first one counts. */
export interface Shutdown {
  request(reason: string, error?: unknown): void;
  requested: Promise<ShutdownReason>;
}

interface ShutdownReason {
  reason: string;
  error: unknown;
}

export function makeShutdown(): Shutdown {
  const { promise: requested, resolve } = Promise.withResolvers<ShutdownReason>();
  return { requested, request: (reason, error) => resolve({ reason, error }) };
}
