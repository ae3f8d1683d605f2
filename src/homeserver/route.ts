import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { MatrixCode } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Services } from "./services.ts";
import type { Session } from "./services/sessions.ts";
import type { OnDisconnect } from "./services/poll-waker.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A request as a handler receives it: routed, authenticated, with its JSON parsed. */
export interface Call {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Anonymous (empty ids) on routes that need no token. */
  session: Session;
  /** `{}` if none was sent. */
  body: JsonObject;
  /** The body as a stream, for routes that take raw bytes. */
  content: Readable;
  headers: IncomingHttpHeaders;
  onDisconnect: OnDisconnect;
}

/** A response other than JSON with status 200. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Readable;
}

interface RouteOptions {
  /**
   * "open": no token needed. "guarded": a token is needed unless registration is open, so that a closed server reveals
   * no user names.
   */
  access?: "open" | "guarded" | "user";
  /** Error codes of this route, besides those common to all routes. Each has a test row. */
  errors?: readonly MatrixCode[];
  /** "raw": bytes, not JSON. */
  body?: "json" | "raw";
  maxBytes?: number;
  /** Reads many events: a few such requests of a user run at a time. */
  isLargeRead?: boolean;
  /** Read-only, even if the method is not GET: not counted as a write. */
  isRead?: boolean;
}

export interface Route extends Required<Omit<RouteOptions, "maxBytes">> {
  method: Method;
  path: string;
  maxBytes: number | undefined;
  handle: Handle;
}

/** JSON, or a `Reply`. */
export type Answer = JsonObject | readonly JsonObject[] | Reply;
type Handle = (call: Call, services: Services) => Answer | Promise<Answer>;

/** Declares a route, for example `GET /_matrix/…/{parameter}`. */
export function route(literal: `${Method} /${string}`, options: RouteOptions, handle: Handle): Route {
  const [method, path] = literal.split(" ") as [Method, string];
  const { access = "user", errors = [], body = "json", maxBytes, isLargeRead = false } = options;
  const { isRead = method === "GET" } = options;
  return { method, path, access, errors, body, maxBytes, isLargeRead, isRead, handle };
}

const replies = new WeakSet<object>();

export function reply(status: number, headers: Record<string, string>, body: string | Readable): Reply {
  const made: Reply = { status, headers, body };
  replies.add(made);
  return made;
}

export function isReply(answer: Answer): answer is Reply {
  return replies.has(answer);
}
