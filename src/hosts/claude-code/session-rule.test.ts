import { describe, expect, it } from "vitest";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { makeSessionRule } from "./session-rule.ts";

const shown = (toolName: string, input: Record<string, unknown>): string | null => {
  const rule = makeSessionRule(toolName, input);
  return rule && formatRule(rule);
};

describe("the rule behind 'allow for session'", () => {
  // A prefix rule would allow other options: many of these programs can then write a file, start a program or print a secret.
  it.each([
    ...[
      "git status",
      "git log",
      "git log --output=/home/me/.bashrc",
      "git diff --output x",
      "git diff --ext-diff",
    ],
    ...[
      "git show HEAD",
      "git branch -D main",
      "git add .",
      "git commit -m wip",
      "git commit --no-verify -m wip",
    ],
    ...[
      "git stash",
      "git tag -d v1",
      "git blame a.ts",
      "git shortlog",
      "git describe",
      "git push origin main",
    ],
    ...["git -C /x status", "git -c core.pager=evil log", "git grep -O x", "git archive --output=x HEAD"],
    ...[
      "mkdir x",
      "mkdir -p a/b",
      "touch a",
      "ls",
      "ls -la src",
      "pwd",
      "whoami",
      "date",
      "date -s 2020-01-01",
    ],
    ...["cat a", "cat /home/me/.ssh/id_rsa", "head -n 5 a", "tail -f a", "wc --files0-from=a", "du -s ."],
    ...[
      "df",
      "stat a",
      "file -C -m magic",
      "file -z a",
      "basename a",
      "dirname a",
      "realpath a",
      "sort -o a b",
    ],
    ...[
      "uniq a b",
      "rg --pre ./evil x",
      "rg --hostname-bin=evil x",
      "grep -r x .",
      "tee a",
      "cp a b",
      "mv a b",
    ],
    ...[
      "ln -s a b",
      "less a",
      "man ls",
      "diff a b",
      "npm test",
      "npm run build",
      "cargo build",
      "go test ./...",
    ],
    ...[
      "./deploy.sh staging",
      "tree -o a",
      "column a",
      "jq . a",
      "openssl version",
      "unzip a.zip",
      "patch -p1",
    ],
  ])("of %j is exactly this command line", (command) => {
    expect(shown("Bash", { command })).toBe(`Bash(${command})`);
  });

  it("leaves out the spaces around the line", () => {
    expect(shown("Bash", { command: "  cargo build  " })).toBe("Bash(cargo build)");
  });

  it.each([
    ...[
      "mkdir x && rm -rf /",
      "ls; id",
      "ls | sh",
      "ls || id",
      "ls & id",
      "ls\nid",
      "ls\rid",
      "ls\tx",
      "ls\u2028id",
    ],
    ...[
      "echo a > b",
      "echo a >> b",
      "ls 2> b",
      "cat < a",
      "cat <<< a",
      "cat <(id)",
      "(ls)",
      "ls &> b",
      "ls >| b",
    ],
    ...[
      "echo $HOME",
      "echo $(id)",
      "echo `id`",
      "echo ${x}",
      "echo $'a'",
      "ls *",
      "ls ?",
      "ls [a]",
      "ls {a,b}",
    ],
    ...[
      "echo 'a'",
      'echo "a"',
      "ls #x",
      "ls ~",
      "ls !1",
      "ls \\x",
      "thing:",
      "ls:*",
      "git log:*",
      "ls \u202Ex",
    ],
    ...["FOO=1 make", "PATH=/tmp ls", "GIT_PAGER=evil git log", "bash x.sh", "/bin/sh x", "python3 x.py"],
    ...[
      "node x.js",
      "perl x",
      "awk x a",
      "sed -n wa b",
      "env ls",
      "sudo ls",
      "nohup ls",
      "time ls",
      "command ls",
    ],
    ...[
      "xargs rm",
      "find . -delete",
      "find . -exec id",
      "fd -x id",
      "tar --to-command=id -xf a",
      "npx thing",
    ],
    ...[
      "ssh host ls",
      "rm x",
      "curl example.com",
      "wget -O a b",
      "docker run x",
      "make",
      "eval ls",
      "exec ls",
    ],
    ...["", "   "],
  ])("is not offered for %j", (command) => {
    expect(shown("Bash", { command })).toBeNull();
  });

  it("is not offered for a command that is not a string", () => {
    expect(shown("Bash", {})).toBeNull();
    expect(shown("Bash", { command: ["ls"] })).toBeNull();
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
