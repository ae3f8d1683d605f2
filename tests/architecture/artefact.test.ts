import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, test } from "vitest";
import { assembleDifferences } from "../../scripts/build-differences.ts";
import { sources } from "../../scripts/vectors/sources.ts";
import { readHeader } from "../../src/store/table-file.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(root, "plugin", "dist");
const size = (file: string): number => statSync(join(dist, file)).size;

const staticImport = /(?:^|[;\n}])\s*(?:import|export)[^"';]*?from\s*"([^"]+)"/g;

describe("the table of word vectors", () => {
  const table = readFileSync(join(root, "src", "store", "vectors", "words.bin"));

  it("is the one that is documented, and small enough to ship", () => {
    const doc = readFileSync(join(root, "docs", "vectors.md"), "utf8");
    const told = (name: string): string =>
      new RegExp(`^\\| ${name} \\| \`?([^|\`]+)`, "m").exec(doc)?.[1]?.trim() ?? "";
    expect(told("sha256")).toBe(createHash("sha256").update(table).digest("hex"));
    expect(told("bytes").replaceAll(",", "")).toBe(String(table.length));
    expect(told("id")).toBe(readHeader(table).id);
    expect(table.length).toBeLessThan(8_000_000);
  });

  it("is made of freely licensed sources that can be fetched again", () => {
    const free = ["MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"];
    expect(sources.length).toBeGreaterThan(20);
    for (const { version, integrity, licence } of sources) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(integrity).toMatch(/^sha512-/);
      expect(free).toContain(licence);
    }
  });
});

test("the vector comparison is assembled from its source", async () => {
  const committed = readFileSync(join(root, "src", "store", "vectors", "differences.wasm"));
  expect(committed.equals(await assembleDifferences())).toBe(true);
});

test("scripts that hosts start are executable in the package, and ignore the user's shell set-up", () => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"];
  const [{ files }] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" }));
  const scripts = [
    "plugin/bin/rookery",
    "plugin/hooks/hook.sh",
    "plugin/mcp/greet.sh",
    "plugin/monitors/wake.sh",
  ];
  const modes = scripts.map(
    (script) => files.find(({ path }: { path: string }) => path === script)?.mode & 0o111,
  );
  expect(modes).toEqual(scripts.map(() => 0o111));
  for (const script of scripts.slice(1))
    expect(readFileSync(join(root, script), "utf8").split("\n")[0]).toBe("#!/bin/bash -p");
});

describe("the built artefact", () => {
  beforeAll(() => {
    execFileSync("node", [join(root, "scripts", "build.mjs")], { stdio: "ignore" });
  });

  it("is small: what every session loads stays under its bound", () => {
    expect(size("hook-leaf.js")).toBeLessThan(10_000);
    expect(size("greeting")).toBeLessThan(10_000);
    const total = readdirSync(dist).reduce((sum, file) => sum + size(file), 0);
    expect(total).toBeLessThan(13_000_000);
  });

  it("does not load the client behind fetch with every process that speaks HTTP", () => {
    const chunks = readdirSync(dist).filter((file) => file.endsWith(".js"));
    const imports = chunks.flatMap((file) => [
      ...readFileSync(join(dist, file), "utf8").matchAll(staticImport),
    ]);
    const targets = imports.map(([, target]) => target);
    expect(targets).toContain("node:net");
    expect(targets).not.toContain("node:http");
    expect(targets).not.toContain("http");
  });

  it("is ASCII, because V8 needs twice the memory for a file with any other character", () => {
    const files = readdirSync(dist).filter((name) => name.endsWith(".js"));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => /\P{ASCII}/u.test(readFileSync(join(dist, name), "utf8")))).toEqual([]);
  });

  it.each([
    { name: "Slack", mark: /Must provide an App-Level Token|An API error occurred/ },
    { name: "the hub", mark: /authenticationSASLContinue|rookery\.push_v1/ },
  ])("loads what only $name needs when $name is on, not with the daemon", ({ mark }) => {
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, target = ""] of readFileSync(join(dist, file), "utf8").matchAll(staticImport))
        if (target.startsWith("./")) follow(target.slice(2));
    };
    follow("daemon.js");
    const isMarked = (file: string): boolean => mark.test(readFileSync(join(dist, file), "utf8"));
    const chunks = readdirSync(dist).filter((file) => file.endsWith(".js"));
    expect(chunks.filter(isMarked).length).toBeGreaterThan(0);
    expect([...seen].filter(isMarked)).toEqual([]);
  });

  it("brings a viewer of less than 150 KB on the wire, whose files are named after what is in them", () => {
    const files = readdirSync(join(dist, "viewer"));
    const bytes = files.map((file) => gzipSync(readFileSync(join(dist, "viewer", file))).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
    expect(files.map((file) => file.replace(/-[0-9a-f]{12}\./, "-HASH.")).toSorted()).toEqual([
      "icon-HASH.svg",
      "icon-asking-HASH.svg",
      "index.html",
      "notify-worker.js",
      "viewer-HASH.css",
      "viewer-HASH.js",
    ]);
  });

  it("needs nothing outside itself but Node", () => {
    const imported = readdirSync(dist)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) =>
        [...readFileSync(join(dist, file), "utf8").matchAll(staticImport)].map((match) => match[1] ?? ""),
      );
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((name) => !name.startsWith(".") && !isBuiltin(name))).toEqual([]);
  });
});
