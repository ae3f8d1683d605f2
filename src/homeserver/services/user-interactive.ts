import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { MatrixError, refuse } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type Accounts, resolveUser } from "./accounts.ts";
import { isPassword } from "./passwords.ts";
import type { RateLimit } from "./rate-limits.ts";

/** User-interactive authentication: a request that must be confirmed is answered 401 with what would confirm it. */
export interface UserInteractive {
  /**
   * Passes when `auth` says the stage was done, and gives the parameters: those of the request that began the session, with
   * what this one says anew. Throws the 401 answer otherwise, and `M_FORBIDDEN` for a session that began for something else.
   */
  confirm(body: JsonObject, operation: string, stage: Stage): Promise<JsonObject>;
  /** Lets a repeat of a confirmed request find what came of the first. */
  remember(body: JsonObject, outcome: string): void;
  outcome(body: JsonObject): string | undefined;
}

/** A password names whose it must be. */
export type Stage = { type: "m.login.dummy" } | { type: "m.login.password"; userId: string };

interface Attempt {
  operation: string;
  params: JsonObject;
  expiresAt: number;
  outcome: string | undefined;
}

const sessionLifeMs = 900_000;
const mostSessions = 1_000;

export function openUserInteractive(
  accounts: Accounts,
  serverName: string,
  clock: Clock,
  guesses: RateLimit,
): UserInteractive {
  const attempts = new Map<string, Attempt>();

  function find(session: string | undefined): Attempt | undefined {
    const attempt = session === undefined ? undefined : attempts.get(session);
    return attempt && attempt.expiresAt > clock() ? attempt : undefined;
  }

  function begin(operation: string, { auth: _auth, ...params }: JsonObject): string {
    if (attempts.size >= mostSessions) attempts.delete(attempts.keys().next().value ?? "");
    const session = randomBytes(12).toString("base64url");
    attempts.set(session, { operation, params, expiresAt: clock() + sessionLifeMs, outcome: undefined });
    return session;
  }

  function challenge(stage: Stage, session: string, failure?: { errcode: string; error: string }): never {
    throw new MatrixError("M_UNAUTHORIZED", failure?.error ?? "This must be confirmed.", {
      fields: {
        flows: [{ stages: [stage.type] }],
        params: {},
        session,
        completed: [],
        errcode: failure?.errcode,
        error: failure?.error,
      },
    });
  }

  async function checkPassword(auth: JsonObject, userId: string): Promise<boolean> {
    const { password } = auth;
    const named = readUser(auth);
    if (typeof password !== "string" || named === undefined) return false;
    // Somebody else's password confirms nothing.
    if (resolveUser(accounts, named, serverName) !== userId)
      refuse("M_FORBIDDEN", "This is not the user who asks.");
    guesses.take(userId);
    const isRight = await isPassword(password, accounts.get(userId).password);
    if (isRight) guesses.giveBack(userId);
    return isRight;
  }

  return {
    async confirm(body, operation, stage) {
      const { auth } = body;
      if (auth === undefined || auth === null) challenge(stage, begin(operation, body));
      if (!isObject(auth)) refuse("M_BAD_JSON", "auth must be an object.");
      const session = sessionOf(body);
      const attempt = find(session);
      if (attempt && attempt.operation !== operation)
        refuse("M_FORBIDDEN", "This session began for something else.");
      const going = attempt && session !== undefined ? session : begin(operation, body);
      if (auth.type !== stage.type) challenge(stage, going);
      // A whole attempt without a session is one shot; a session must be one that was given out.
      if (session !== undefined && !attempt)
        challenge(stage, going, { errcode: "M_UNKNOWN", error: "This session is not known." });
      if (stage.type === "m.login.password" && !(await checkPassword(auth, stage.userId)))
        challenge(stage, going, { errcode: "M_FORBIDDEN", error: "Wrong password." });
      attempts.delete(going);
      return { ...attempt?.params, ...body };
    },
    remember(body, outcome) {
      const session = sessionOf(body);
      if (session !== undefined)
        attempts.set(session, { operation: "", params: {}, expiresAt: clock() + sessionLifeMs, outcome });
    },
    outcome: (body) => find(sessionOf(body))?.outcome,
  };
}

function sessionOf({ auth }: JsonObject): string | undefined {
  return isObject(auth) && typeof auth.session === "string" ? auth.session : undefined;
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
