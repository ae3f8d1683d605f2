import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { repository } from "../support/rookery.ts";

const rows = readFileSync(join(repository, "docs", "seeds.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| statement"))
  .map((line) => line.slice(2, -2).split(" | "));
const minReason = 30;

function findFile(name: string): string | undefined {
  return [`tests/${name}.test.ts`, `tests/${name}.ts`, `src/${name}.test.ts`]
    .map((file) => join(repository, file))
    .find((file) => existsSync(file));
}

test("there are statements of each paper", () => {
  expect(rows.length).toBeGreaterThan(280);
});

test.each(["start", "stop", "restart", "status", "logs"])("npm run worker:%s is the command", (name) => {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  expect(scripts[`worker:${name}`]).toBe(`bin/rookery ${name}`);
  expect(Object.keys(commands)).toContain(name);
});

test.each(rows)("%s", (_statement, shown, ...more) => {
  expect(more).toEqual([]);
  const [, reason] = /^(?:Otherwise|Host): (.+)$/.exec(shown ?? "") ?? [];
  if (reason !== undefined) return expect(reason.length).toBeGreaterThan(minReason);
  const [, name = "", title = ""] = /^(\S+) "(.+)"$/.exec(shown ?? "") ?? [];
  const file = findFile(name);
  expect(file, `the file ${name}`).toBeDefined();
  const text = readFileSync(file ?? "", "utf8");
  const at = text.indexOf(title);
  expect(at, `the test "${title}" in ${name}`).toBeGreaterThan(0);
  expect(text.slice(text.lastIndexOf("\n", at - 2), at)).not.toMatch(/\.(?:skip|todo)\b/);
});
