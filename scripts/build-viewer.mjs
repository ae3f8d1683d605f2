// Bundles src/viewer into the folder `viewer` of a distribution: one script, one style sheet and the icons, named after the
// hash of their content; the page that refers to them; and the service worker, whose name must stay the same.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = new URL("../src/viewer/", import.meta.url);

export async function buildViewer(dist) {
  const out = new URL("viewer/", dist);
  mkdirSync(out, { recursive: true });
  const result = await build({
    entryPoints: [fileURLToPath(new URL("main.tsx", source))],
    outdir: fileURLToPath(out),
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox121", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
  });
  const put = (name, kind, bytes) => {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
    writeFileSync(new URL(`${name}-${hash}.${kind}`, out), bytes);
    return `${name}-${hash}.${kind}`;
  };
  const bundled = (kind) => result.outputFiles.find(({ path }) => path.endsWith(`.${kind}`)).contents;
  const names = {
    script: put("viewer", "js", bundled("js")),
    style: put("viewer", "css", bundled("css")),
    icon: put("icon", "svg", readFileSync(new URL("icon.svg", source))),
    askingIcon: put("icon-asking", "svg", readFileSync(new URL("icon-asking.svg", source))),
  };
  await build({
    entryPoints: [fileURLToPath(new URL("notify-worker.ts", source))],
    outdir: fileURLToPath(out),
    bundle: true,
    format: "iife",
    platform: "browser",
    minify: true,
    logLevel: "warning",
  });
  const page = readFileSync(new URL("index.html", source), "utf8");
  writeFileSync(
    new URL("index.html", out),
    page.replace(/\{\{(\w+)\}\}/g, (_whole, name) => names[name]),
  );
}
