import { describe, expect, it } from "vitest";
import { requests } from "../../hosts/claude-code/requests.ts";
import { isSameQuestion } from "./asked-before.ts";
import { makeCard, type CardQuestion } from "./make-card.ts";
import { describeOutcome, type SettledQuestion } from "./outcome.ts";
import { readRequest } from "./read-request.ts";

function cardOf(toolName: string, input: Record<string, unknown>, more: Partial<CardQuestion> = {}) {
  const request = readRequest(toolName, input, requests.describe);
  if (!request) throw new Error("nothing is asked");
  const { kind, context, prompts, subject } = request;
  const who = { projectName: "api", agent: "api-rook", sessionId: "s-1", subagent: null };
  const rest = { id: "q-1", toolName, sessionRule: null, earlier: null };
  return makeCard({ ...rest, ...who, kind, context, prompts, subject, ...more }, "ticket-1", null);
}

const token = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";

describe("a card", () => {
  it.each([
    ["Bash", { command: "mkdir x" }, "api-rook in api wants to run a command", "command", "mkdir x"],
    [
      "Edit",
      { file_path: "/a.ts", old_string: "one\ntwo", new_string: "three" },
      "api-rook in api wants to edit a file",
      "diff",
      "/a.ts\n-one\n-two\n+three",
    ],
    [
      "Edit",
      { file_path: "/a.ts", old_string: "a", new_string: "", replace_all: true },
      "api-rook in api wants to edit a file",
      "diff",
      "/a.ts\n@@ everywhere @@\n-a",
    ],
    [
      "MultiEdit",
      {
        file_path: "/a.ts",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      },
      "api-rook in api wants to edit a file",
      "diff",
      "/a.ts\n-a\n+b\n-c\n+d",
    ],
    [
      "Write",
      { file_path: "/a.ts", content: "x\ny" },
      "api-rook in api wants to write a file",
      "diff",
      "/a.ts\n+x\n+y",
    ],
    [
      "ExitPlanMode",
      { plan: "# Do it" },
      "api-rook in api has a plan for you to approve",
      "markdown",
      "# Do it",
    ],
    [
      "ExitPlanMode",
      {},
      "api-rook in api has a plan for you to approve",
      "markdown",
      "The plan has no text.",
    ],
    [
      "mcp__db__query",
      { sql: "select 1" },
      "api-rook in api wants to use mcp__db__query",
      "json",
      '{\n  "sql": "select 1"\n}',
    ],
  ])(
    "of %s shows exactly what is asked, and none of it in its headline",
    (tool, input, headline, format, text) => {
      const card = cardOf(tool, input);
      expect(card.headline).toBe(headline);
      expect(card.subject).toMatchObject({ format, text, hiddenSecrets: 0 });
      expect(card).toMatchObject({
        questionId: "q-1",
        ticket: "ticket-1",
        asker: { project: "api", agent: "api-rook" },
      });
    },
  );

  it("hides secrets and says how many", () => {
    const card = cardOf("Bash", {
      command: `curl -H "Authorization: Bearer ${token}" https://x`,
      description: token,
    });
    expect(JSON.stringify(card)).not.toContain(token);
    expect(card.subject?.hiddenSecrets).toBeGreaterThan(0);
    expect(card.subject?.text).toContain("[secret:");
  });

  it("shows invisible characters by their code where consent is asked, and drops them elsewhere", () => {
    const card = cardOf("Bash", { command: "rm \u202Etxt.exe\r\u2028x\u3164", description: "a\u200Bb" });
    expect(card.subject?.text).toBe("rm [U+202E]txt.exe[U+000D][U+2028]x[U+3164]");
    expect(card.context).toBe("ab");
  });

  it("names the subagent that asks", () => {
    expect(cardOf("Bash", { command: "ls" }, { subagent: "Explore" }).headline).toBe(
      "api-rook, subagent Explore, in api wants to run a command",
    );
  });

  it("shortens a very long subject to its head and tail, and says so", () => {
    const { subject } = cardOf("Write", { file_path: "/a", content: "x".repeat(500_000) });
    expect(subject?.text.length).toBeLessThan(210_000);
    expect(subject?.text).toContain("characters left out");
  });

  it.each([{}, { questions: [] }, { questions: "x" }, { questions: [{ options: [] }, null] }])(
    "is not made for a request without questions: %j",
    (input) => {
      expect(readRequest("AskUserQuestion", input, requests.describe)).toBeUndefined();
    },
  );
});

describe("asked before", () => {
  it.each([
    ["choice", "Which database should we use?", "which  DATABASE should we use", true],
    [
      "choice",
      "Which database should the new billing service use?",
      "Which database should billing service use?",
      true,
    ],
    ["choice", "Which database should we use?", "Which queue should we use?", false],
    ["choice", "Delete it?", "Keep it?", false],
    ["permission", "Bash\nrm -rf .", "Bash\nrm  -rf .", true],
    ["permission", "Bash\nrm -rf .", "Bash\nrm -rf /", false],
  ] as const)("%s: %j and %j: %s", (kind, a, b, same) => {
    expect(isSameQuestion(kind, a, b)).toBe(same);
  });
});

describe("the outcome of a question", () => {
  const base: SettledQuestion = {
    kind: "permission",
    state: "answered",
    verdict: "sent",
    answer: { type: "allow", scope: "once" },
    place: "slack",
    answeredBy: "Ada",
    note: null,
    sessionRule: { toolName: "Bash", ruleContent: "mkdir:*" },
  };
  it.each<[string | undefined, Partial<SettledQuestion>]>([
    [undefined, { state: "open" }],
    ["Allowed once by Ada (Slack).", {}],
    ["Allowed once by Ada (Slack).", { verdict: "confirmed" }],
    [
      "Allowed for the session by Ada (Slack): Bash(mkdir:*)",
      { answer: { type: "allow", scope: "session" } },
    ],
    ["Denied by Ada (Slack): too risky", { answer: { type: "deny", reason: "too risky" } }],
    ["Denied by Ada (Slack).", { answer: { type: "deny", reason: "" } }],
    ["Answered by Ada (Slack): a, b; c", { answer: { type: "answers", answers: [["a", "b"], ["c"]] } }],
    ["Allowed in the terminal.", { place: "terminal", verdict: null }],
    ["Approved by Ada (Slack).", { kind: "plan" }],
    ["Approved in the terminal.", { kind: "plan", place: "terminal", verdict: null }],
    [
      "Denied by Ada (Slack): no. But it ran.",
      { answer: { type: "deny", reason: "no" }, verdict: "overruled", note: "it ran" },
    ],
    ["Declined in the terminal.", { state: "declined" }],
    ["No answer in time.", { state: "expired" }],
    ["No longer asked: the session ended.", { state: "cancelled", note: "the session ended" }],
  ])("%s", (text, more) => {
    expect(describeOutcome({ ...base, ...more })?.text).toBe(text);
  });
});
