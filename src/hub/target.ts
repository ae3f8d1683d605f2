import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

/** Where the hub's database is, and who connects. */
export interface HubTarget {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** Without TLS; only for a database on this machine. */
  isPlain: boolean;
  /** PEM of the certificate authority; undefined if the system trusts it. */
  ca?: string | undefined;
}

const defaultPort = 5432;

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Reads `postgres://user:password@host:port/database?sslmode=…`. */
export function parseHubUrl(text: string, ca?: string): HubTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2 || !url.username)
    throw new AppError(
      "invalid_argument",
      "Expected an address such as postgres://admin@db.example.org/rookery.",
    );
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "");
  return {
    host,
    port: url.port === "" ? defaultPort : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    isPlain: url.searchParams.get("sslmode") === "disable",
    ca,
  };
}

const codePrefix = "rk1.";

/** The line that an administrator gives to a new member. It contains a one-time password. */
export function encodeInvite(target: HubTarget): string {
  return codePrefix + Buffer.from(JSON.stringify(target)).toString("base64url");
}

export function decodeInvite(code: string): HubTarget {
  const invalid = new AppError("invalid_argument", "This is not an invitation: invitations start with rk1.");
  if (!code.startsWith(codePrefix)) throw invalid;
  try {
    const text = Buffer.from(code.slice(codePrefix.length), "base64url").toString("utf8");
    const { host, port, database, user, password, isPlain, ca } = parseJson(text) as HubTarget;
    if ([host, database, user, password].some((part) => typeof part !== "string" || part === ""))
      throw invalid;
    return { host, port, database, user, password, isPlain, ca };
  } catch (cause) {
    throw new AppError("invalid_argument", "This invitation is incomplete: copy the whole line.", { cause });
  }
}
