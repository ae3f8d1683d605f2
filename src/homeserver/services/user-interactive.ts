import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { MatrixError, refuse, tooLarge } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type Accounts, resolveUser } from "./accounts.ts";
import type { PasswordChecks } from "./passwords.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

/** User-interactive authentication: a request that needs confirmation is answered with 401 and the required stages. */
interface UserInteractive {
  /**
   * Returns the parameters once `auth` completes the stage: those of the session's first request, overridden by this one.
   * Otherwise throws the 401 response, or `M_FORBIDDEN` if the session belongs to another operation.
   */
  confirm(body: JsonObject, operation: string, stage: Stage): Promise<JsonObject>;
  /** Stores the outcome, so that a repeated request gets the same result. */
  remember(body: JsonObject, outcome: string): void;
  outcome(body: JsonObject): string | undefined;
}

/** A password stage requires the password of `userId`. */
type Stage = { type: "m.login.dummy" } | { type: "m.login.password"; userId: string };

interface Attempt {
  operation: string;
  params: JsonObject;
  expiresAt: number;
  outcome: string | undefined;
}

const sessionLifeMs = 900_000;
const maxSessions = 1_000;
/** Of the parameters, which are kept until the user confirms. */
const maxParamBytes = 65_536;

export function openUserInteractive(
  accounts: Accounts,
  serverName: string,
  clock: Clock,
  passwords: PasswordChecks,
): UserInteractive {
  const attempts = new Map<string, Attempt>();

  function find(session: string | undefined): Attempt | undefined {
    const attempt = session === undefined ? undefined : attempts.get(session);
    return attempt && attempt.expiresAt > clock() ? attempt : undefined;
  }

  function begin(operation: string, { auth: _auth, ...params }: JsonObject): string {
    if (JSON.stringify(params).length > maxParamBytes) throw tooLarge(maxParamBytes);
    const session = randomBytes(12).toString("base64url");
    attempts.set(session, { operation, params, expiresAt: clock() + sessionLifeMs, outcome: undefined });
    dropOldest(attempts, maxSessions);
    return session;
  }

  function challenge(stage: Stage, session: string, failure?: { errcode: string; error: string }): never {
    throw new MatrixError("M_UNAUTHORIZED", failure?.error ?? "Authentication required.", {
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
    // Another user's password does not confirm this request.
    if (resolveUser(accounts, named, serverName) !== userId)
      refuse("M_FORBIDDEN", "The credentials belong to another user.");
    return passwords.check(userId, password, accounts.get(userId).password);
  }

  return {
    async confirm(body, operation, stage) {
      const { auth } = body;
      if (auth === undefined || auth === null) challenge(stage, begin(operation, body));
      if (!isObject(auth)) refuse("M_BAD_JSON", "auth must be an object.");
      const session = sessionOf(body);
      const attempt = find(session);
      if (attempt && attempt.operation !== operation)
        refuse("M_FORBIDDEN", "This auth session belongs to another request.");
      const current = attempt && session !== undefined ? session : begin(operation, body);
      if (auth.type !== stage.type) challenge(stage, current);
      // A complete attempt may omit the session, but a given session must exist.
      if (session !== undefined && !attempt)
        challenge(stage, current, { errcode: "M_UNKNOWN", error: "Unknown auth session." });
      if (stage.type === "m.login.password" && !(await checkPassword(auth, stage.userId)))
        challenge(stage, current, { errcode: "M_FORBIDDEN", error: "Wrong password." });
      attempts.delete(current);
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
