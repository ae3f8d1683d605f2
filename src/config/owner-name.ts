import { readUserName } from "../shared/user-name.ts";
import type { Config } from "./schema.ts";

/**
 * The name of the person at this machine, for agents, rooms and questions: the one of `matrix.owner`, or the login name
 * reduced to characters that a homeserver allows.
 */
export function readOwnerName({ matrix: { owner } }: Pick<Config, "matrix">): string {
  const login = (): string =>
    readUserName()
      .toLowerCase()
      .replace(/[^a-z0-9._-]/g, "");
  return /^@([^:]+):/.exec(owner)?.[1] ?? (owner || login() || "owner");
}
