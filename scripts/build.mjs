// Bundles src/ into plugin/dist: the plugin is copied or used in place, so it must contain everything it needs.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hashPlugin } from "../src/install/hash-plugin.ts";
import { commands } from "../src/cli/commands.ts";
import { listCommands } from "../src/cli/help.ts";
import { buildViewer } from "./build-viewer.mjs";

const root = new URL("../", import.meta.url);
const live = new URL("plugin/dist/", root);
// Built in another folder and then renamed: the plugin may be in use, and a failed build must not change it.
const dist = new URL("plugin/dist.next/", root);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const before = readBuild();

/**
 * An import of node:http reads every export, and three of them load the complete client behind `fetch`: 14 MB and 40 ms in every
 * process. Loaded with `process.getBuiltinModule`, they are not read.
 */
const httpWithoutFetch = {
  name: "http-without-fetch",
  setup({ onResolve, onLoad }) {
    const namespace = "http-without-fetch";
    const behindFetch = ["WebSocket", "CloseEvent", "MessageEvent", "default"];
    const names = Object.keys(http).filter((name) => !behindFetch.includes(name));
    onResolve({ filter: /^(node:)?http$/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace } : undefined,
    );
    onLoad({ filter: /./, namespace }, () => ({
      contents: `const http = process.getBuiltinModule("node:http");
        export const { ${names.join(", ")} } = http;
        export default http;`,
    }));
  },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const result = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: [
    ...["daemon", "prepare-worker", "memory-worker", "import-worker", "homeserver-worker"],
    "viewer-worker",
    ...["cli", "mcp", "hook-leaf", "inspect", "leave"],
  ].map((name) => `src/bin/${name}.ts`),
  outdir: fileURLToPath(dist),
  bundle: true,
  splitting: true,
  // Next to the entries: files are found relative to import.meta.url.
  chunkNames: "chunk-[hash]",
  format: "esm",
  platform: "node",
  target: "node22.16",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  metafile: true,
  // The CommonJS build of jsonc-parser cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [httpWithoutFetch],
  logLevel: "warning",
  // Some dependencies are CommonJS and require Node's own modules.
  banner: {
    js: 'import { createRequire as __makeRequire } from "node:module"; const require = __makeRequire(import.meta.url);',
  },
});
await buildViewer(dist);
for (const [from, to] of [
  ["src/store/migrations/", "migrations/"],
  ["src/store/vectors/", "vectors/"],
  ["src/store/weights/", "weights/"],
  ["src/homeserver/migrations/", "homeserver-migrations/"],
])
  cpSync(new URL(from, root), new URL(to, dist), { recursive: true });
// Help and completion would otherwise load every command.
writeFileSync(new URL("commands.json", dist), JSON.stringify(await listCommands(commands)));
writeFileSync(new URL("package.json", dist), '{ "type": "module" }\n');

const id = hashPlugin(fileURLToPath(new URL("plugin/", root)), fileURLToPath(dist));
// The same code keeps its build time: a rebuild must not make a running daemon look old.
const builtAt = before?.build === id ? before.builtAt : Date.now();
writeFileSync(new URL("build.json", dist), `${JSON.stringify({ version, build: id, builtAt })}\n`);
const old = new URL("plugin/dist.old/", root);
rmSync(old, { recursive: true, force: true });
if (existsSync(live)) renameSync(live, old);
renameSync(dist, live);
rmSync(old, { recursive: true, force: true });
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`built plugin/dist ${version} (${id}), ${Math.round(bytes / 1024)} KB`);

function readBuild() {
  try {
    return JSON.parse(readFileSync(new URL("build.json", live), "utf8"));
  } catch {
    return undefined;
  }
}
