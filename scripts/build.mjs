// Bundles src/ into plugin/dist: the plugin is copied or used in place, so it must contain everything it needs.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { plugins } from "../src/hosts/plugins.ts";
import { hashPlugin } from "../src/install/hash-plugin.ts";
import { commands } from "../src/cli/commands.ts";
import { listCommands } from "../src/cli/help.ts";
import { makeGreeting } from "../src/mcp/greeting.ts";
import { buildViewer } from "./build-viewer.mjs";

const root = new URL("../", import.meta.url);
const live = new URL("plugin/dist/", root);
// Built in another folder and then renamed: the plugin may be in use, and a failed build must not change it.
const dist = new URL("plugin/dist.next/", root);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const before = readBuild();

/**
 * An import statement reads every export of a built-in module, and some of them load more: those of node:http the complete client
 * behind `fetch` (14 MB and 40 ms in every process), those of node:fs and node:util the streams. Here only the exports that are
 * used are read, when the importing module is evaluated.
 */
function loadLazily(modules) {
  const namespace = "built-in";
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: modules }, ({ path, kind }) =>
        kind === "import-statement" && isBuiltin(path)
          ? { path: path.replace(/^(node:)?/, "node:"), namespace, sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /./, namespace }, ({ path }) => {
        const names = Object.keys(process.getBuiltinModule(path)).filter((name) => name !== "default");
        const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ $read("${name}");`);
        return {
          contents: `const $module = /* @__PURE__ */ process.getBuiltinModule("${path}");
            const $read = (name) => $module[name];
            ${exported.join("\n")}
            export default $module;`,
        };
      });
    },
  };
}

/**
 * V8 needs twice the memory for the text of a file with any character beyond Latin-1. esbuild escapes such characters,
 * except in regular expressions and in `String.raw`, which only has sources of regular expressions.
 */
function escapeNonAscii(file) {
  const code = readFileSync(file, "utf8");
  if (/\\[^\x00-\x7f]/.test(code))
    throw new Error(`${file.pathname} has a backslash before such a character.`);
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, code.replace(/[^\x00-\x7f]/g, escape));
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const shared = {
  absWorkingDir: fileURLToPath(root),
  outdir: fileURLToPath(dist),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.16",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  metafile: true,
  // The CommonJS build of jsonc-parser cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // An optional part of pg that Rookery does not have.
  external: ["pg-native"],
  plugins: [loadLazily(/^(node:)?http$/)],
  logLevel: "warning",
  // Some dependencies are CommonJS and require Node's own modules.
  banner: {
    js: 'import { createRequire as __makeRequire } from "node:module"; const require = __makeRequire(import.meta.url);',
  },
};
const fast = {
  ...shared,
  plugins: [loadLazily(/^(node:)?[a-z_/]+$/)],
  banner: {
    js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
  },
};
const toEntries = (names) => names.map((name) => `src/bin/${name}.ts`);
const results = await Promise.all([
  build({
    ...shared,
    entryPoints: toEntries([
      ...["daemon", "prepare-worker", "search-worker", "distil-worker", "care-worker", "import-worker"],
      ...["homeserver-worker", "viewer-worker", "hook-leaf", "inspect", "leave"],
    ]),
    splitting: true,
    // Next to the entries: files are found relative to import.meta.url.
    chunkNames: "chunk-[hash]",
  }),
  // People and sessions wait for these, so they do not share chunks with the others: Node takes a millisecond to find and link
  // each file. Each is one file, in which modules that are imported dynamically are evaluated on demand.
  build({ ...fast, entryPoints: toEntries(["cli", "mcp"]) }),
  // Plugins that other programs load: one file each, without the others.
  ...Object.keys(plugins).map((host) =>
    build({
      ...shared,
      plugins: [],
      banner: {},
      define: { HOST: JSON.stringify(host) },
      entryPoints: [{ in: "src/bin/host-plugin.ts", out: host }],
    }),
  ),
]);
for (const path of results.flatMap(({ metafile }) => Object.keys(metafile.outputs)))
  if (path.endsWith(".js")) escapeNonAscii(new URL(path, root));
await buildViewer(dist);
for (const [from, to] of [
  ["src/store/migrations/", "migrations/"],
  ["src/store/vectors/", "vectors/"],
  ["src/store/weights/", "weights/"],
  ["src/homeserver/migrations/", "homeserver-migrations/"],
  ["src/hub/schema/", "hub-schema/"],
])
  cpSync(new URL(from, root), new URL(to, dist), { recursive: true });
// Help and completion would otherwise load every command.
writeFileSync(new URL("commands.json", dist), JSON.stringify(await listCommands(commands)));
// A session waits for the MCP server's first answers, so plugin/mcp/greet.sh gives them without Node.
writeFileSync(new URL("greeting", dist), makeGreeting(version));
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
const bytes = results
  .flatMap(({ metafile }) => Object.values(metafile.outputs))
  .reduce((sum, output) => sum + output.bytes, 0);
console.log(`built plugin/dist ${version} (${id}), ${Math.round(bytes / 1024)} KB`);

function readBuild() {
  try {
    return JSON.parse(readFileSync(new URL("build.json", live), "utf8"));
  } catch {
    return undefined;
  }
}
