import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** What a folder may import besides itself. The picture of it is in docs/architecture.md. */
const layers: Record<string, string[]> = {
  shared: [],
  protocol: ["shared"],
  config: ["shared"],
  domain: ["protocol", "shared"],
  hosts: ["domain", "protocol", "shared"],
  store: ["domain", "protocol", "shared"],
  model: ["domain", "protocol", "shared"],
  channels: ["domain", "protocol", "shared"],
  client: ["protocol", "shared"],
  install: ["client", "config", "hosts", "protocol", "shared"],
  cli: ["client", "config", "hosts", "install", "protocol", "shared"],
  mcp: ["client", "config", "protocol", "shared"],
  http: ["config", "domain", "protocol", "shared", "store"],
  homeserver: ["shared"],
  daemon: [
    "channels",
    "config",
    "domain",
    "homeserver",
    "hosts",
    "http",
    "model",
    "protocol",
    "shared",
    "store",
  ],
  viewer: ["protocol"],
  "hook-leaf": [],
  bin: Object.keys({ cli: 0, config: 0, daemon: 0, "hook-leaf": 0, homeserver: 0, mcp: 0, shared: 0 }),
};

/**
 * The homeserver has a database of its own, and of the store only the way to open one and to look after its file. What `rookery doctor` writes for
 * others to read is redacted by the same rules as what is stored. The viewer reconnects
 * and parses answers like every other part.
 */
const exceptions: Record<string, string[]> = {
  cli: [join("domain", "redact", "redact-text.ts"), join("domain", "redact", "redact-value.ts")],
  viewer: [join("shared", "backoff.ts"), join("shared", "json.ts")],
  homeserver: ["sqlite.ts", "migrate.ts", "upkeep.ts", "erase-bytes.ts"].map((file) => join("store", file)),
};

/** Code that decides may not look at the world: no files, no clock, no randomness, no SQL. */
const pureFolders = ["domain", "protocol"];

interface SourceFile {
  path: string;
  layer: string;
  text: string;
  imports: string[];
}

const files: SourceFile[] = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
    return { path: relative(source, path), layer: relative(source, path).split(sep)[0] ?? "", text, imports };
  });

const pathOf = (file: SourceFile, target: string): string => join(dirname(file.path), target);
const layerOf = (file: SourceFile, target: string): string => pathOf(file, target).split(sep)[0] ?? "";

describe("the layers", () => {
  it("are all seen by this test", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(new Set(files.map(({ layer }) => layer))).toEqual(new Set(Object.keys(layers)));
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(150);
  });

  it("import only what stands below them", () => {
    const offences = files.flatMap((file) =>
      file.imports
        .filter((target) => target.startsWith(".") && !exceptions[file.layer]?.includes(pathOf(file, target)))
        .map((target) => layerOf(file, target))
        .filter((layer) => layer !== file.layer && !layers[file.layer]?.includes(layer))
        .map((layer) => `${file.path} imports ${layer}`),
    );
    expect(offences).toEqual([]);
  });

  it("keep the rules free of the outside world", () => {
    const outside = /from "node:|Date\.now\(|new Date\(\)|Math\.random\(|process\.|setTimeout|SELECT /;
    const offences = files.filter(({ layer, text }) => pureFolders.includes(layer) && outside.test(text));
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("open the database in the daemon alone", () => {
    const openers = files.filter(({ imports }) => imports.includes("node:sqlite")).map(({ path }) => path);
    expect(openers.toSorted()).toEqual([join("daemon", "lock.ts"), join("store", "sqlite.ts")]);
  });

  it("run git through one function, and read a checkout's .git in one place", () => {
    const spawners = files
      .filter(({ text }) => /["'`]git(?:\.exe)?["'`],\s*\[/.test(text))
      .map(({ path }) => path);
    expect(spawners).toEqual([join("daemon", "git.ts")]);
    const readers = files
      .filter(({ text }) => /gitdir: |["'`]commondir["'`]/.test(text))
      .map(({ path }) => path);
    expect(readers).toEqual([join("daemon", "git-folder.ts")]);
  });

  it("let the HTTP side know the daemon only through its own interface", () => {
    const offences = files.filter(
      ({ layer, imports }) =>
        layer === "http" && imports.some((i) => i.includes("/daemon/") && !i.startsWith("./routes")),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });
});

describe("the viewer", () => {
  it("takes only types from elsewhere, and makes no HTML of data", () => {
    const viewer = files.filter(({ layer }) => layer === "viewer");
    expect(viewer.length).toBeGreaterThan(30);
    const values = viewer.flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*?from "[./]+\/protocol\/[^"]+"/gm)].map(() => path),
    );
    expect(values).toEqual([]);
    const markup =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|eval\(|srcdoc/;
    expect(viewer.filter(({ text }) => markup.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("every source file", () => {
  it.each([
    ["ends the process only in bin", /process\.exit\(/, "bin"],
    ["reads the environment only in config", /process\.env\b/, "config"],
  ])("%s", (_rule, pattern, home) => {
    const offences = files.filter(({ layer, text }) => layer !== home && pattern.test(stripComments(text)));
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("parses JSON only with parseJson, which keeps `__proto__` out", () => {
    const parsers = files.filter(({ text }) => /\bJSON\.parse\b|\.json\(\)/.test(stripComments(text)));
    expect(parsers.map(({ path }) => path)).toEqual([join("shared", "json.ts")]);
  });

  it("is small enough to read at once", () => {
    const long = files.filter(({ text }) => text.split("\n").length > 300).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it("has named exports, no enum and no left-over markers", () => {
    const offences = files.filter(({ text }) =>
      /export default|^\s*(export )?(const )?enum |TODO|FIXME/m.test(text),
    );
    expect(offences.map(({ path }) => path)).toEqual([]);
  });

  it("says why where it swallows an error", () => {
    const bare = /catch(?: \(\w+\))? \{\s*\}/;
    expect(files.filter(({ text }) => bare.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("the hook leaf", () => {
  it("imports nothing but a few of Node's own modules, so that it starts at once", () => {
    const imports = files
      .filter(({ layer }) => layer === "hook-leaf")
      .flatMap((file) => file.imports.filter((i) => !i.startsWith(".")));
    const allowed = ["node:child_process", "node:fs", "node:net", "node:os", "node:path"];
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
