import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { ApiError } from "../protocol/api.ts";
import { AppError } from "../shared/errors.ts";

const localHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * A page of another site can send requests to 127.0.0.1 and can rebind its own name to it. So over TCP the Host must be
 * ours, and so must the Origin if there is one.
 */
export function checkHostAndOrigin(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    if (!isOwnAddress(`http://${c.req.header("host") ?? ""}`, port()))
      throw new AppError("forbidden_origin", `Host ${quote(c.req.header("host"))} is not this daemon.`);
    const origin = c.req.header("origin");
    if (origin !== undefined && !isOwnAddress(origin, port()))
      throw new AppError("forbidden_origin", `Origin ${quote(origin)} may not call this daemon.`);
    await next();
  };
}

/** The same error for a request that cannot be parsed. */
export function makeForbidden(reason: string): Response {
  const { code, message, hint } = new AppError("forbidden_origin", `The request was refused: ${reason}.`);
  return Response.json({ code, message, hint } satisfies ApiError, { status: 403 });
}

function isOwnAddress(address: string, port: number): boolean {
  try {
    const url = new URL(address);
    const isRoot =
      url.pathname === "/" &&
      url.search === "" &&
      url.hash === "" &&
      url.username === "" &&
      url.password === "";
    return (
      url.protocol === "http:" && isRoot && localHosts.has(url.hostname) && Number(url.port || 80) === port
    );
  } catch {
    return false;
  }
}

export function requireToken(token: string): MiddlewareHandler {
  const expected = Buffer.from(`Bearer ${token}`);
  return async (c, next) => {
    const given = Buffer.from(c.req.header("authorization") ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new AppError("unauthorized", "The token is missing or wrong.");
    await next();
  };
}

function quote(text: string | undefined): string {
  return JSON.stringify((text ?? "").slice(0, 100));
}
