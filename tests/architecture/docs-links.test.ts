import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { findRookeryLines } from "../support/shell-words.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Page {
  path: string;
  text: string;
  /** The lines inside fences marked `sh`. */
  shell: string[];
  /** Lines inside fences without a language: diagrams and program output. */
  plain: string[];
  prose: string;
}

const pages: Page[] = [
  ...["README.md", "AGENTS.md", "CHANGELOG.md", "plugin/README.md"].map((name) => join(root, name)),
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name)),
  ...readdirSync(join(root, "plugin", "commands")).map((name) => join(root, "plugin", "commands", name)),
].map((path) => {
  const text = readFileSync(path, "utf8");
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const shell = fences.filter(([, language]) => language === "sh");
  return {
    path: relative(root, path),
    text,
    shell: shell.flatMap(([, , body = ""]) => body.split("\n")),
    plain: fences.flatMap(([, language, body = ""]) => (language === "" ? body.split("\n") : [])),
    prose: text.replace(/^```[\s\S]*?^```$/gm, ""),
  };
});

/** Anchors as GitHub generates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("every link and picture leads somewhere", () => {
  it("sees them at all", () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.flatMap(({ text }) => [...text.matchAll(/\]\(/g)]).length).toBeGreaterThan(60);
  });

  it.each(pages)("$path", ({ path, prose }) => {
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
      .map(([, markdown, html]) => markdown ?? html ?? "")
      .filter((target) => !/^(?:https?:|mailto:)/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const whole = file === "" ? join(root, path) : join(root, dirname(path), file);
        if (!existsSync(whole)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(whole, "utf8")).includes(anchor);
      });
    expect(broken).toEqual([]);
  });
});

describe("every command that the docs show can be typed", () => {
  it("sees them at all", () => {
    const lines = pages.flatMap(({ shell }) => shell.flatMap(findRookeryLines));
    expect(lines.length).toBeGreaterThan(30);
  });

  it("blocks without a language contain no commands", () => {
    const isCommand = (line: string): boolean =>
      findRookeryLines(line).some(([name = ""]) => Object.hasOwn(commands, name));
    expect(
      pages.flatMap(({ path, plain }) => plain.filter(isCommand).map((line) => `${path}: ${line}`)),
    ).toEqual([]);
  });

  it.each(pages.filter(({ shell }) => shell.some((line) => line.includes("rookery "))))(
    "$path, in blocks of shell",
    async ({ shell }) => {
      for (const line of shell)
        for (const argv of findRookeryLines(line))
          await expect(parseCommandLine(commands, argv), line).resolves.toBeDefined();
    },
  );

  it.each(pages.filter(({ prose }) => prose.includes("`rookery ")))(
    "$path, in sentences",
    async ({ prose }) => {
      for (const [, line = ""] of prose.matchAll(/`rookery ([a-z][^`]*)`/g)) {
        const { name, command } = await findCommand(line);
        for (const [flag] of line.matchAll(/--[a-z][\w-]*/g))
          expect(Object.keys(command.options ?? {}).concat("json", "help"), `${flag} of ${name}`).toContain(
            flag.slice(2),
          );
      }
    },
  );
});

/** Usage lines may have placeholders that no parser accepts: `folders on|off`, `tasks [ID]`. */
async function findCommand(line: string): Promise<{ name: string; command: Command }> {
  const [name = "", word = ""] = line.split(" ");
  const command = await commands[name]?.load();
  if (!command) throw new Error(`There is no command ${name}: rookery ${line}`);
  const part = command.subcommands?.[word];
  return part ? { name: `${name} ${word}`, command: part } : { name, command };
}
