import { existsSync } from "node:fs";
import type { ErasureReport, ErasureRequest } from "../../homeserver/contract.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";

/** Erases data on our homeserver. */
export interface MatrixEraser {
  /** Undefined if there is nothing to erase from. Throws `homeserver_unavailable` while it cannot be reached. */
  erase(request: ErasureRequest): Promise<ErasureReport | undefined>;
  /** The user id of an agent or a person of this machine. */
  userIdOf(name: string): string;
}

interface MatrixEraserDeps {
  database: string;
  serverName: string;
  /** The embedded homeserver, if it is in use. */
  embedded: EmbeddedHomeserver | undefined;
  /** Opens the embedded homeserver without a listener, for the database of one that is no longer in use. */
  openUnserved(): EmbeddedHomeserver;
}

export function makeMatrixEraser(deps: MatrixEraserDeps): MatrixEraser {
  const { database, serverName, embedded, openUnserved } = deps;

  async function eraseWithoutListener(request: ErasureRequest): Promise<ErasureReport | undefined> {
    if (!existsSync(database)) return undefined;
    const homeserver = openUnserved();
    homeserver.start();
    try {
      return await homeserver.erase(request);
    } finally {
      await homeserver.stop();
    }
  }

  return {
    erase: embedded ? embedded.erase : eraseWithoutListener,
    userIdOf: (name) => `@${name}:${serverName}`,
  };
}
