import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { MatrixError, refuse } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import { parseIdentifier } from "../rules/identifiers.ts";
import type { Accounts } from "./accounts.ts";
import { isPassword } from "./passwords.ts";
import type { RateLimit } from "./rate-limits.ts";

/** User-interactive authentication: a request that must be confirmed is answered 401 with what would confirm it. */
export interface UserInteractive {
  /** Passes when `auth` says the stage was done; throws the 401 answer otherwise. */
  confirm(body: JsonObject, stage: Stage): Promise<void>;
}

/** A password names whose it must be. */
export type Stage = { type: "m.login.dummy" } | { type: "m.login.password"; userId: string };

const sessionLifeMs = 900_000;
const mostSessions = 1_000;

export function openUserInteractive(
  accounts: Accounts,
  serverName: string,
  clock: Clock,
  guesses: RateLimit,
): UserInteractive {
  const sessions = new Map<string, number>();

  function challenge(
    stage: Stage,
    session: string | undefined,
    failure?: { errcode: string; error: string },
  ): never {
    let id = session;
    if (id === undefined || !isLive(id)) {
      if (sessions.size >= mostSessions) sessions.delete(sessions.keys().next().value ?? "");
      id = randomBytes(12).toString("base64url");
      sessions.set(id, clock() + sessionLifeMs);
    }
    throw new MatrixError("M_UNAUTHORIZED", failure?.error ?? "This must be confirmed.", {
      fields: {
        flows: [{ stages: [stage.type] }],
        params: {},
        session: id,
        completed: [],
        errcode: failure?.errcode,
        error: failure?.error,
      },
    });
  }

  function isLive(session: string): boolean {
    return (sessions.get(session) ?? 0) > clock();
  }

  async function checkPassword(auth: JsonObject, userId: string): Promise<boolean> {
    const { password } = auth;
    const named = readUser(auth);
    if (typeof password !== "string" || named === undefined) return false;
    const fullId = named.startsWith("@") ? named : `@${named.toLowerCase()}:${serverName}`;
    // Somebody else's password confirms nothing.
    if (fullId !== userId || parseIdentifier("@", fullId) === undefined)
      refuse("M_FORBIDDEN", "This is not the user who asks.");
    guesses.take(userId);
    const isRight = await isPassword(password, accounts.get(userId).password);
    if (isRight) guesses.giveBack(userId);
    return isRight;
  }

  return {
    async confirm(body, stage) {
      const { auth } = body;
      if (auth === undefined || auth === null) challenge(stage, undefined);
      if (!isObject(auth)) refuse("M_BAD_JSON", "auth must be an object.");
      const session = typeof auth.session === "string" ? auth.session : undefined;
      if (auth.type !== stage.type) challenge(stage, session);
      // A whole attempt without a session is one shot; a session must be one that was given out.
      if (session !== undefined && !isLive(session))
        challenge(stage, undefined, { errcode: "M_UNKNOWN", error: "This session is not known." });
      if (stage.type === "m.login.password" && !(await checkPassword(auth, stage.userId)))
        challenge(stage, session, { errcode: "M_FORBIDDEN", error: "Wrong password." });
      if (session !== undefined) sessions.delete(session);
    },
  };
}

/** `identifier` of type m.id.user, or the older plain `user`. */
export function readUser(from: JsonObject): string | undefined {
  const { identifier } = from;
  if (isObject(identifier))
    return identifier.type === "m.id.user" && typeof identifier.user === "string"
      ? identifier.user
      : undefined;
  return typeof from.user === "string" ? from.user : undefined;
}
