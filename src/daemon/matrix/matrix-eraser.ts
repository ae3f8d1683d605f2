import { existsSync } from "node:fs";
import type { ErasureReport, ErasureRequest } from "../../homeserver/services/erasure.ts";
import type { EmbeddedHomeserver } from "./homeserver.ts";

/** The way to what our homeserver keeps. */
export interface MatrixEraser {
  /** Undefined where there is nothing to erase from. Throws `homeserver_unavailable` while it cannot be reached. */
  erase(request: ErasureRequest): Promise<ErasureReport | undefined>;
  /** Under what id somebody of this machine speaks there. */
  userIdOf(name: string): string;
}

export interface MatrixEraserDeps {
  database: string;
  serverName: string;
  /** Ours, where it is ours that is used. */
  embedded: EmbeddedHomeserver | undefined;
  /** The same without a port, for a database of earlier times that nobody serves. */
  openUnserved(): EmbeddedHomeserver;
}

export function makeMatrixEraser(deps: MatrixEraserDeps): MatrixEraser {
  const { database, serverName, embedded, openUnserved } = deps;

  async function eraseUnserved(request: ErasureRequest): Promise<ErasureReport | undefined> {
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
    erase: embedded ? embedded.erase : eraseUnserved,
    userIdOf: (name) => `@${name}:${serverName}`,
  };
}
