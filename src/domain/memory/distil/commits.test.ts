import { expect, test } from "vitest";
import { describeCall } from "../../../../tests/support/describe-call.ts";
import type { Step } from "../turn-record.ts";
import { titleOfCommit, typeOfCommit } from "./commit-note.ts";
import { listCommits } from "./commits.ts";

const run = (command: string, failed = false): Step => ({
  kind: "tool",
  tool: "Bash",
  ...describeCall("Bash", { command }),
  input: { command },
  output: "",
  failed,
  eventId: "e",
});

const heredoc = `git add -A && git commit -m "$(cat <<'EOF'
fix(cache): evict expired sessions before new ones

Expired sessions were only removed on read, so a cache that
nobody read grew without limit.
- Sweep on write, at most once a minute
- Count evictions

Fixes #12
Co-Authored-By: An Agent <agent@example.com>
EOF
)"`;

test("the message of a commit is read from a here-document, without trailers", () => {
  expect(listCommits([run(heredoc)])).toEqual([
    {
      subject: "fix(cache): evict expired sessions before new ones",
      body: "Expired sessions were only removed on read, so a cache that nobody read grew without limit.\n- Sweep on write, at most once a minute\n- Count evictions",
    },
  ]);
});

test.each([
  [
    "two options",
    `git commit -m "Add a retry" -m "The first call often times out."`,
    "The first call often times out.",
  ],
  ["single quotes", "git commit -am 'Add a retry'", ""],
  ["another folder", `git -C lib commit -q -m "Add a retry"`, ""],
  [
    "a message from stdin",
    "git commit -F - <<EOF\nAdd a retry\n\nThe first call often times out.\nEOF",
    "The first call often times out.",
  ],
  [
    "a message file",
    "cat > m <<'EOF'\nAdd a retry\n\nThe first call often times out.\nEOF\ngit commit -F m",
    "The first call often times out.",
  ],
])("%s", (_name, command, body) => {
  expect(listCommits([run(command)])).toEqual([{ subject: "Add a retry", body }]);
});

test("a pull request is read without the section on its tests", () => {
  const command = `gh pr create --title "Add a retry" --body "$(cat <<'EOF'
## Summary
- The first call often times out

## Test plan
- [x] Unit tests
EOF
)"`;
  expect(listCommits([run(command)])).toEqual([
    { subject: "Add a retry", body: "- The first call often times out" },
  ]);
});

test.each([
  ["a commit that failed", run(heredoc, true)],
  ["a message in a variable", run('git commit -m "$message"')],
  ["no message", run("git commit --amend --no-edit")],
  ["another command", run("git log --grep 'commit -m'")],
])("%s is left out", (_name, step) => {
  expect(listCommits([step])).toEqual([]);
});

test.each([
  ["options", `git ${"-a ".repeat(5_000)}x`],
  ["here-documents", `git commit ${"<<a\n".repeat(5_000)}`],
  ["quotes", `git commit ${'-m "a\\'.repeat(5_000)}`],
])("a command of many %s is read in linear time", (_name, command) => {
  expect(listCommits([run(command)])).toEqual([]);
});

test("a subject may name a variable", () => {
  expect(listCommits([run("git commit -m 'Keep $PATH of the user'")])).toMatchObject([
    { subject: "Keep $PATH of the user" },
  ]);
});

test("a repeated commit is listed once", () => {
  expect(listCommits([run(heredoc), run(heredoc)])).toHaveLength(1);
});

test.each([
  ["fix(cache): evict expired sessions", "cache: evict expired sessions", "bugfix"],
  ["feat!: read settings from a file", "Read settings from a file", "feature"],
  ["refactor(14): extract the parser", "Extract the parser", "refactor"],
  ["Fix race in the session cache (#42)", "Fix race in the session cache", "bugfix"],
  ["docs(cache): explain the cache limits", "Explain the cache limits", "change"],
  ["Don't retry a login", "Don't retry a login", "bugfix"],
])("%j has the title %j", (subject, title, type) => {
  expect(titleOfCommit({ subject })).toBe(title);
  expect(typeOfCommit({ subject })).toBe(type);
});

test.each(["wip", "Merge main into feature", "chore: bump version", "Address review feedback", "fix tests"])(
  "%j is no title",
  (subject) => {
    expect(titleOfCommit({ subject })).toBeUndefined();
  },
);

test.each([
  ["Use a shorter lease", "the nightly sync fails since Monday", "bugfix"],
  ["Use a shorter lease", "shorten the lease to ten seconds", "change"],
  ["feat: use a shorter lease", "the nightly sync fails since Monday", "feature"],
])("%j, when asked %j, is a %s", (subject, prompt, type) => {
  const turn = { prompt, isMachine: false, steps: [], final: "", outcome: "completed" as const };
  expect(typeOfCommit({ subject }, turn)).toBe(type);
});
