import { describe, expect, it } from "vitest";
import { findRookeryLines } from "../../tests/support/shell-words.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { describeHelp, formatHelp, formatOverview, listCommands } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { displayWidth } from "./text-width.ts";

const all: [string, Command][] = (
  await Promise.all(
    Object.entries(commands).map(async ([name, { load }]): Promise<[string, Command][]> => {
      const command = await load();
      const subcommands = Object.entries(command.subcommands ?? {});
      return [
        [name, command],
        ...subcommands.map(([part, below]): [string, Command] => [`${name} ${part}`, below]),
      ];
    }),
  )
).flat();

describe.each(all)("%s", (name, command) => {
  const { summary, usage, options = {}, optionHelp = {}, actions = {}, examples } = command;

  it("says what it does, in one sentence", () => {
    expect(summary).toMatch(/^[A-Z].{10,110}\.$/);
  });

  it("has a text for every option, and for no other", () => {
    expect(Object.keys(optionHelp).toSorted()).toEqual(Object.keys(options).toSorted());
    for (const text of Object.values({ ...optionHelp, ...actions })) expect(text).toMatch(/^\S.{4,}[^.]$/);
  });

  it("names the value of each option", () => {
    for (const { name: flag, value } of describeHelp(name, command).options)
      expect(`--${flag} ${value ?? ""}`).not.toContain("VALUE");
  });

  it("has examples that parse", async () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const [argv] = findRookeryLines(example);
      expect(argv, example).toBeDefined();
      expect((await parseCommandLine(commands, argv ?? [])).name, example).toMatch(
        new RegExp(`^${name}( |$)`),
      );
    }
  });

  it("has a help text in which every bracket is closed", () => {
    const text = formatHelp(describeHelp(name, command), 80);
    let open = 0;
    for (const bracket of text.match(/[()]/g) ?? []) {
      open += bracket === "(" ? 1 : -1;
      expect(open, text).toBeGreaterThanOrEqual(0);
    }
    expect(open, text).toBe(0);
  });

  it("has a help text that fits 80 columns, except for usage that cannot be wrapped", () => {
    const lines = formatHelp(describeHelp(name, command), 80).split("\n");
    const text = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith("Example")),
    );
    for (const line of text) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
    expect(usage).not.toMatch(/\n/);
  });
});

it("the list of commands fits 80 columns", async () => {
  const overview = formatOverview(await listCommands(commands), "0.0.0", 80);
  for (const line of overview.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
});

describe("a command line with a mistake", () => {
  it.each([
    ["statsu", "Unknown command statsu. Did you mean status?"],
    ["search x --projct y", "Unknown option --projct for search. Did you mean --project?"],
    ["search -k x", "Unknown option -k for search. Options: --project, --kind"],
    ["setup slakc", "Unknown argument slakc for setup. Did you mean slack?"],
    ["setup slack --usr ada", "Unknown option --usr for setup slack. Did you mean --user?"],
    ["import transcript", "Unknown argument transcript for import. Did you mean transcripts?"],
    ["folders synch", "Unknown argument synch for folders. Did you mean sync?"],
    ["matrix invit ada", "Unknown argument invit for matrix. Did you mean invite?"],
    ["completion bsh", "Unknown argument bsh for completion. Did you mean bash?"],
    ["send --to", "send: --to needs a value."],
    ["send --to --json hello", "send: --to needs a value."],
    ["questions --all=yes", "questions: --all takes no value."],
    ["status word", "Usage: rookery status"],
    ["show", "Usage: rookery show ID"],
    ["constructor", "Unknown command constructor."],
  ])("%s", async (line, message) => {
    await expect(parseCommandLine(commands, line.split(" "))).rejects.toThrow(message);
  });

  it.each([
    [["search", "--", "--not-a-flag"], ["--not-a-flag"]],
    [
      ["search", "a", "--limit=3", "b"],
      ["a", "b"],
    ],
    [["setup", "--json", "slack"], []],
  ])("%j fits", async (argv, words) => {
    expect((await parseCommandLine(commands, argv)).input?.words).toEqual(words);
  });

  it.each([["--url", "http://a.example"], ["--url=http://a.example"]])(
    "accepts an earlier name of an option: %s",
    async (...option) => {
      const { input } = await parseCommandLine(commands, ["setup", "embeddings", ...option]);
      expect(input?.flags).toEqual({ "base-url": "http://a.example" });
      const other = await parseCommandLine(commands, ["search", "--", ...option]);
      expect(other.input?.words).toEqual(option);
    },
  );
});
