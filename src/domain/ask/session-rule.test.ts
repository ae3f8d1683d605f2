import { describe, expect, it } from "vitest";
import { formatRule, makeSessionRule } from "./session-rule.ts";

const shown = (toolName: string, input: Record<string, unknown>): string | null => {
  const rule = makeSessionRule(toolName, input);
  return rule && formatRule(rule);
};

describe("the rule behind 'allow for session'", () => {
  it.each([
    ["mkdir x", "Bash(mkdir:*)"],
    ["mkdir -p a/b", "Bash(mkdir:*)"],
    ["git status", "Bash(git status:*)"],
    ["git commit -m wip", "Bash(git commit:*)"],
    ["git push origin main", "Bash(git push origin main)"],
    ["git -C /x status", "Bash(git -C /x status)"],
    ["npm test", "Bash(npm test)"],
    ["./deploy.sh staging", "Bash(./deploy.sh staging)"],
    ["  cargo build  ", "Bash(cargo build)"],
  ])("of %j is narrow: %s", (command, rule) => {
    expect(shown("Bash", { command })).toBe(rule);
  });

  it.each([
    ...["mkdir x && rm -rf /", "ls; id", "ls | sh", "ls & id", "ls\nid", "ls\rid", "echo a > b", "cat < a"],
    ...[
      "echo $HOME",
      "echo $(id)",
      "echo `id`",
      "ls *",
      "ls ?",
      "ls [a]",
      "ls {a,b}",
      "echo 'a'",
      'echo "a"',
    ],
    ...[
      "FOO=1 make",
      "PATH=/tmp ls",
      "bash x.sh",
      "/bin/sh x",
      "python3 x.py",
      "node x.js",
      "env ls",
      "sudo ls",
    ],
    ...["xargs rm", "find . -delete", "npx thing", "ssh host ls", "rm x", "curl example.com", "docker run x"],
    ...["", "   ", "ls \u202Ex", "ls #x", "ls ~", "ls !1", "ls \\x", "thing:"],
  ])("is not offered for %j", (command) => {
    expect(shown("Bash", { command })).toBeNull();
  });

  it.each([
    ["Write", { file_path: "/home/me/a.ts" }, "Edit(//home/me/a.ts)"],
    ["Edit", { file_path: "/home/me/my file.ts" }, "Edit(//home/me/my file.ts)"],
    ["NotebookEdit", { notebook_path: "/n.ipynb" }, "Edit(//n.ipynb)"],
    ["Edit", { file_path: "relative.ts" }, null],
    ["Edit", { file_path: "/home/*/x" }, null],
    ["Edit", { file_path: "/home/../etc/passwd" }, null],
    ["Edit", { file_path: "/home/" }, null],
    ["Edit", {}, null],
    ["WebFetch", { url: "https://docs.example.com/a?b" }, "WebFetch(domain:docs.example.com)"],
    ["WebFetch", { url: "https://me@example.com/" }, null],
    ["WebFetch", { url: "file:///etc/passwd" }, null],
    ["mcp__db__query", { sql: "select 1" }, "mcp__db__query"],
    ["Skill", { skill: "x" }, null],
    ["Agent", { prompt: "x" }, null],
  ])("of %s %j is %s", (tool, input, rule) => {
    expect(shown(tool, input)).toBe(rule);
  });
});
