import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { checkGroups } from "../../src/cli/doctor/checks.ts";
import { listConfigKeys } from "../../src/config/schema.ts";
import { claudeCode } from "../../src/hosts/claude-code/claude-code.ts";
import { slackScopes } from "../../src/protocol/slack.ts";
import { errorRegistry } from "../../src/shared/errors.ts";
import { makeApiPage } from "../../scripts/api-page.ts";
import { drawLayers } from "../../scripts/layer-picture.ts";
import { makeMatrixPage } from "../../scripts/matrix-page.ts";

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const firstCells = (markdown: string, heading: string): string[] => {
  const section = markdown.split(new RegExp(`^## ${heading}$`, "m"))[1]?.split(/^## /m)[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? "");
};

describe("the docs say what the code does", () => {
  it("docs/errors.md lists exactly the error registry, with kinds and hints", () => {
    const doc = read("docs/errors.md");
    expect(firstCells(doc, "Codes")).toEqual(Object.keys(errorRegistry));
    for (const [code, { kind, hint }] of Object.entries(errorRegistry))
      expect(doc).toContain(`| \`${code}\` | ${kind} | ${hint} |`);
  });

  it("docs/configuration.md lists exactly the settings, with their defaults", () => {
    const doc = read("docs/configuration.md");
    expect(firstCells(doc, "Settings")).toEqual(listConfigKeys().map(({ path }) => path));
    for (const { path, default: usual, env, personOnly, description } of listConfigKeys()) {
      const who = personOnly ? "**you**" : "anyone";
      expect(doc).toContain(
        `| \`${path}\` | \`${JSON.stringify(usual)}\` | \`${env}\` | ${who} | ${description} |`,
      );
    }
  });

  it("docs/architecture.md shows the table of the layers", () => {
    const doc = read("docs/architecture.md");
    expect(doc).toContain("src/daemon/");
    expect(doc).toBe(drawLayers(doc));
  });

  it("docs/architecture.md lists existing files on its four routes, and counts them", () => {
    const section = read("docs/architecture.md")
      .split("## Four routes through the code")[1]
      ?.split(/^## /m)[0];
    const files = [...(section ?? "").matchAll(/`((?:src|plugin)\/[^`]+)`/g)].map((match) => match[1] ?? "");
    expect(section?.match(/^1\. /gm)).toHaveLength(4);
    const routes = (section ?? "").split(/\n\n(?=[^\n]*, \d+ files:\n)/).slice(1);
    expect(routes).toHaveLength(4);
    for (const route of routes)
      expect(new Set(route.match(/`(?:src|plugin)\/[^`]+`/g)).size, route.slice(0, 80)).toBe(
        Number(/, (\d+) files:/.exec(route)?.[1]),
      );
    const missing = files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)));
    expect(missing).toEqual([]);
  });

  it("AGENTS.md names existing files", () => {
    const paths = [...read("AGENTS.md").matchAll(/`((?:src|tests|plugin|docs)\/[^`*\s]+)`/g)]
      .map((match) => match[1] ?? "")
      .filter((path) => !path.includes("NAME") && !path.includes("dist"));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
  });

  it("docs/matrix.md lists exactly the homeserver's routes and their errors", () => {
    expect(read("docs/matrix.md")).toBe(makeMatrixPage());
  });

  it("docs/hooks.md lists exactly what hooks.json registers", () => {
    const { hooks } = JSON.parse(read("plugin/hooks/hooks.json"));
    const doc = read("docs/hooks.md");
    expect(firstCells(doc, "Events")).toEqual(Object.keys(hooks));
    for (const [event, [entry]] of Object.entries<any>(hooks)) {
      expect(claudeCode.events.read(event), event).toBeDefined();
      const [handler] = entry.hooks;
      const { matcher = "–" } = entry;
      const mode = handler.async ? "async" : "sync";
      expect(doc).toContain(
        `| \`${event}\` | ${matcher.replaceAll("|", ", ")} | ${handler.timeout} s | ${mode} |`,
      );
      expect(handler).toMatchObject({
        type: "command",
        command: "${CLAUDE_PLUGIN_ROOT}/hooks/hook.sh",
        args: [event],
      });
    }
  });

  it("docs/api.md is made from the endpoints, and lists every event", () => {
    const doc = read("docs/api.md");
    expect(doc).toBe(makeApiPage());
    const events = [...read("src/protocol/bus-events.ts").matchAll(/type: "([a-z.]+)"/g)];
    expect(events.length).toBeGreaterThan(10);
    for (const [, event] of events) expect(doc).toContain(`\`${event}\``);
  });

  it("README.md names both commands, and docs/cli.md every command", () => {
    for (const command of ["npm start", "npm test"]) expect(read("README.md")).toContain(command);
    for (const name of Object.keys(commands)) expect(read("docs/cli.md")).toContain(`rookery ${name}`);
  });

  it("docs/troubleshooting.md lists exactly the checks of doctor", () => {
    const looked = checkGroups.flatMap(({ checks }) => checks.map(({ check }) => check));
    expect(firstCells(read("docs/troubleshooting.md"), "Doctor checks")).toEqual(looked);
    expect(read("README.md")).toContain("docs/troubleshooting.md");
  });

  it("docs/slack.md gives a reason for every scope of the Slack app", () => {
    const doc = read("docs/slack.md");
    expect(firstCells(doc, "Scopes, and why")).toEqual(Object.keys(slackScopes));
    for (const [scope, why] of Object.entries(slackScopes))
      expect(doc).toContain(`| \`${scope}\` | ${why} |`);
  });

  it("docs/dependencies.md gives a reason for every dependency", () => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read("package.json"));
    const { dependencies: tools, optionalDependencies: some } = JSON.parse(read("tests/tools/package.json"));
    const { dependencies: longTools } = JSON.parse(read("tests/tools-long/package.json"));
    const doc = read("docs/dependencies.md");
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...tools, ...some, ...longTools }))
      expect(doc).toContain(`| \`${name}\` |`);
  });

  it("one version is everywhere, and the lockfiles name no registry", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(JSON.parse(read("plugin/.claude-plugin/plugin.json")).version).toBe(version);
    expect(read("CHANGELOG.md")).toContain(`## ${version}`);
    for (const lock of ["", "tests/tools/", "tests/tools-long/"].map(
      (folder) => `${folder}package-lock.json`,
    ))
      expect(read(lock)).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
  });
});
