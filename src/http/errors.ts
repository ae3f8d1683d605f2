import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { makeId } from "../shared/ids.ts";
import { type ErrorKind, toAppError } from "../shared/errors.ts";
import type { ApiError } from "../protocol/api.ts";
import type { Log } from "../shared/log.ts";
import { isStorageFull, makeStoreFull } from "../sqlite/sqlite.ts";

const statusOfKind: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  denied: 403,
  missing: 404,
  conflict: 409,
  unavailable: 503,
  bug: 500,
};

/** The only mapping from error kind to status. Details of a bug are logged under an id, not sent. */
export function answerError(c: Context, thrown: unknown, log: Log): Response {
  const error = isStorageFull(thrown) ? makeStoreFull(thrown) : toAppError(thrown);
  const { code, hint, kind } = error;
  let { message } = error;
  if (kind === "bug") {
    const id = makeId(Date.now());
    log.error("request failed", { id, path: c.req.path, error });
    message = `Something went wrong inside Rookery (${id}).`;
  }
  const status = code === "unauthorized" ? 401 : statusOfKind[kind];
  return c.json({ code, message, hint } satisfies ApiError, status);
}
