import { readdirSync, readFileSync } from "node:fs";

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

/** At the top, because the folder of a service worker is its scope. */
const workerPath = "/notify-worker.js";
const topLevel: Record<string, string> = { "index.html": "/", "notify-worker.js": workerPath };

interface ViewerFile {
  bytes: Buffer;
  headers: Record<string, string>;
}

/**
 * `/`, the service worker, and the scripts and styles below `/assets/`. They need no token, because they contain no
 * secret; the page's API calls do.
 */
export function openViewerFiles(folder: URL): { find(path: string): ViewerFile | undefined } {
  let files: Map<string, ViewerFile> | undefined;
  return {
    /** A path is looked up in a list, never joined to a folder. */
    find: (path) => (isViewerPath(path) ? (files ??= readFiles(folder)).get(path) : undefined),
  };
}

function isViewerPath(path: string): boolean {
  return path === "/" || path === workerPath || path.startsWith("/assets/");
}

function readFiles(folder: URL): Map<string, ViewerFile> {
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[name.slice(name.lastIndexOf(".") + 1)];
      if (!type) return [];
      const path = topLevel[name] ?? `/assets/${name}`;
      const headers = {
        "content-type": type,
        "content-security-policy": policy,
        // The names of assets change with their contents.
        "cache-control": topLevel[name] ? "no-store" : "public, max-age=31536000, immutable",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      };
      return [[path, { bytes: readFileSync(new URL(name, folder)), headers }]];
    }),
  );
}
