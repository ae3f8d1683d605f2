import { describe, expect, test } from "vitest";
import type { Step, ToolStep, TurnRecord } from "../turn-record.ts";
import { listCommandFacts } from "./commands.ts";

const edit: ToolStep = {
  kind: "tool",
  tool: "Edit",
  toolKind: "edit",
  target: "src/a.ts",
  changes: [],
  file: "src/a.ts",
  input: {},
  output: "",
  failed: false,
  eventId: "e0",
};

function run(target: string, error?: string): ToolStep {
  return { ...edit, tool: "Bash", toolKind: "run", target, output: error ?? "", failed: error !== undefined };
}

function factsOf(steps: Step[], outcome: TurnRecord["outcome"] = "completed"): string[] {
  return listCommandFacts({ prompt: "Fix it", isMachine: false, steps, final: "", outcome });
}

describe("how work was checked", () => {
  test.each<[string, string[], string]>([
    ["each command once", ["npm test", "npm run lint", "npm test"], "`npm test`, `npm run lint`"],
    [
      "without folder, variables, pipe and redirection",
      ["cd /srv/app && CI=1 make check 2>&1 | tail -20"],
      "`make check`",
    ],
    ["the whole project first", ["go test ./cli/", "go test ./..."], "`go test ./...`, `go test ./cli/`"],
  ])("%s", (_name, commands, checks) => {
    expect(factsOf([edit, ...commands.map((one) => run(one))])).toEqual([`Checked with ${checks}`]);
  });

  test.each<[string, Step[]]>([
    ["a failed command", [edit, run("npm test", "1 failed")]],
    ["one test of many", [edit, run("go test ./cli/ -run TestStart")]],
    ["a command that checks nothing", [edit, run("npm install"), run("git status"), run("npx cowsay hi")]],
    ["a turn that edits nothing", [run("npm test")]],
    ["a path of this machine", [edit, run("make -C /srv/app test")]],
  ])("not %s", (_name, steps) => {
    expect(factsOf(steps)).toEqual([]);
  });

  test("not in an interrupted turn", () => {
    expect(factsOf([edit, run("npm test")], "interrupted")).toEqual([]);
  });
});

describe("a command that does not exist here", () => {
  test("is kept with the one that worked instead", () => {
    const steps = [
      run("wrap pnpm test", "error: unrecognized subcommand 'pnpm'\nUsage: wrap"),
      run("pnpm test"),
    ];
    expect(factsOf(steps)).toEqual([
      "`wrap pnpm test` fails (error: unrecognized subcommand 'pnpm'), `pnpm test` works instead",
    ]);
  });

  test.each<[string, Step[]]>([
    ["another command", [run("jq . a.json", "jq: command not found"), run("npm test")]],
    ["no success", [run("wrap npm test", "wrap: command not found"), run("npm test", "1 failed")]],
    ["an ordinary failure", [run("npm test", "1 failed"), run("npm test -- --bail")]],
  ])("not with %s", (_name, steps) => {
    expect(factsOf(steps)).toEqual([]);
  });
});
