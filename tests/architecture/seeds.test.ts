import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { configSchema } from "../../src/config/schema.ts";
import { longFiles } from "../support/long.ts";
import { hasTitle, readPaperRows } from "../support/paper-rows.ts";
import { repository } from "../support/rookery.ts";

const rows = readPaperRows(repository);
const minReason = 30;

/** The strings of a test file and of the files beside it that it imports, such as a contract. */
function readStrings(file: string): string[] {
  const read = (path: string): string => readFileSync(join(repository, path), "utf8");
  const own = read(file);
  const beside = [...own.matchAll(/from "\.\/(\S+\.ts)"/g)].map(([, name = ""]) =>
    read(join(dirname(file), name)),
  );
  return [own, ...beside].flatMap((text) =>
    [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/g)].map(
      ([, plain, template]) => plain ?? template ?? "",
    ),
  );
}

test("there are statements of each paper, each once", () => {
  const statements = rows.map(({ statement }) => statement);
  expect(statements.length).toBeGreaterThan(290);
  expect(statements.filter((statement, at) => statements.indexOf(statement) !== at)).toEqual([]);
});

test.each(["start", "stop", "restart", "status", "logs"])("npm run worker:%s is the command", (name) => {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  expect(scripts[`worker:${name}`]).toBe(`bin/rookery ${name}`);
  expect(Object.keys(commands)).toContain(name);
});

test("the defaults of the papers are ours: port 37777, 50 notes and ten sessions in the index", () => {
  expect(configSchema.parse({})).toMatchObject({
    port: 37_777,
    context: { observations: 50, summaries: 10 },
  });
});

test("the entry of the MCP server is small", () => {
  for (const file of ["src/bin/mcp.ts", "src/mcp/main.ts", "src/mcp/tools.ts"])
    expect(readFileSync(join(repository, file), "utf8").split("\n").length, file).toBeLessThan(40);
});

test.each(rows)("$statement", ({ shown, reason, test: named }) => {
  if (reason !== undefined) return expect(reason.length).toBeGreaterThan(minReason);
  expect(named, `a test file in: ${shown}`).toBeDefined();
  const { file = "", title = "", condition } = named ?? {};
  expect(
    readStrings(file).some((text) => hasTitle(text, title)),
    `the test "${title}" in ${file}`,
  ).toBe(true);
  if (longFiles.includes(file)) expect(condition, `${file} is in the long run`).toBe("long");
});
