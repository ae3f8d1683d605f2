import { readdirSync, readFileSync } from "node:fs";
import { type Context, Hono } from "hono";
import { AppError } from "../shared/errors.ts";

/**
 * Scripts, styles and data may only come from this origin, and text that arrives as data cannot become a script or
 * style. The one Trusted Types policy lets only the address of the service worker through.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types notify-worker",
].join("; ");

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

interface ViewerFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** The page itself needs no token, because it contains no secret; its API calls do. */
export function serveViewerFiles(folder: URL): Hono {
  const app = new Hono();
  let files: Map<string, ViewerFile> | undefined;

  /** Serves only the listed files: a name is looked up, never joined to a path. */
  function send(c: Context, name: string, caching: string): Response {
    files ??= readFiles(folder);
    const file = files.get(name);
    if (!file) throw new AppError("route_not_found", `There is no GET ${c.req.path}.`);
    return c.body(file.bytes, 200, {
      "content-type": file.type,
      "content-security-policy": policy,
      "cache-control": caching,
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  }

  /** GET / — the viewer. */
  app.get("/", (c) => send(c, "index.html", "no-store"));

  /** GET /notify-worker.js — its service worker; at the top, because its folder is its scope. */
  app.get("/notify-worker.js", (c) => send(c, "notify-worker.js", "no-store"));

  /** GET /assets/:name — its files; their names change with their contents. */
  app.get("/assets/:name", (c) => send(c, c.req.param("name"), "public, max-age=31536000, immutable"));

  return app;
}

function readFiles(folder: URL): Map<string, ViewerFile> {
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[name.slice(name.lastIndexOf(".") + 1)];
      return type ? [[name, { bytes: new Uint8Array(readFileSync(new URL(name, folder))), type }]] : [];
    }),
  );
}
