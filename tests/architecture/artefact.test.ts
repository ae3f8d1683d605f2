import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(root, "plugin", "dist");
const size = (file: string): number => statSync(join(dist, file)).size;

const staticImport = /(?:^|[;\n}])\s*(?:import|export)[^"';]*?from\s*"([^"]+)"/g;

describe("the built artefact", () => {
  beforeAll(() => {
    execFileSync("node", [join(root, "scripts", "build.mjs")], { stdio: "ignore" });
  });

  it("is small: what every session loads stays under its bound", () => {
    expect(size("hook-leaf.js")).toBeLessThan(10_000);
    expect(size("mcp.js")).toBeLessThan(500_000);
    const total = readdirSync(dist).reduce((sum, file) => sum + size(file), 0);
    expect(total).toBeLessThan(3_000_000);
  });

  it("brings a viewer of less than 150 KB on the wire, whose files are named after what is in them", () => {
    const files = readdirSync(join(dist, "viewer"));
    const bytes = files.map((file) => gzipSync(readFileSync(join(dist, "viewer", file))).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
    expect(files.toSorted().map((file) => file.replace(/-[0-9a-f]{12}\./, "-HASH."))).toEqual([
      "icon-HASH.svg",
      "index.html",
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
