import { describe, expect, test } from "vitest";
import { type Finding, ok, problem, skipped, warning } from "./check-result.ts";
import { formatFindings, formatSummary } from "./report.ts";

const findings: Finding[] = [
  { group: "Home", check: "Home", ...ok("/home/ada/.rookery") },
  { group: "Home", check: "Leftovers", ...ok("none") },
  {
    group: "Home",
    check: "Permissions",
    ...problem("other users can read token (0644)", "chmod -R go-rwx /home/ada/.rookery", () => "done"),
  },
  { group: "Hooks", check: "Hook", ...skipped("the daemon does not answer") },
  { group: "Hooks", check: "Events", ...warning(`last event ${"long ago ".repeat(20)}`, "Start a session") },
];
const plain = { isTerminal: false, environment: {}, columns: 80 };

describe("the findings, for people", () => {
  test("passed checks share one line per group, other findings are shown in full", () => {
    const lines = formatFindings(findings, plain, false).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "ok    Home            Home, Leftovers",
      "FAIL  Permissions     other users can read token (0644)",
      "                      → chmod -R go-rwx /home/ada/.rookery",
      "–     Hooks           Hook: not checked",
    ]);
    expect(lines[4]).toMatch(/^note {2}Events {10}last event long ago/);
    expect(lines.at(-1)).toBe("                      → Start a session");
  });

  test("shows everything in full, by group, on request", () => {
    const text = formatFindings(findings, plain, true);
    expect(text).toMatch(/^Home\nok {4}Home {12}\/home\/ada\/\.rookery\nok {4}Leftovers {7}none$/m);
    expect(text).toMatch(/^– {5}Hook {12}the daemon does not answer$/m);
  });

  test.each([60, 80, 120])("no line is wider than a terminal of %i columns", (columns) => {
    for (const isFull of [true, false])
      for (const line of formatFindings(findings, { ...plain, columns }, isFull).split("\n"))
        expect(line.length).toBeLessThanOrEqual(columns);
  });

  test.each([
    ["a terminal", { isTerminal: true, environment: {} }, true],
    ["a terminal with NO_COLOR", { isTerminal: true, environment: { NO_COLOR: "1" } }, false],
    ["a dumb terminal", { isTerminal: true, environment: { TERM: "dumb" } }, false],
    ["a file", { isTerminal: false, environment: {} }, false],
  ])("colour in %s", (_name, where, isColoured) => {
    const text = formatFindings(findings, { ...where, columns: 80 }, true);
    expect(text.includes("\u001b[31mFAIL\u001b[0m")).toBe(isColoured);
    expect(text.includes("\u001b")).toBe(isColoured);
  });

  test("the summary counts the findings and those that --fix can fix", () => {
    expect(formatSummary(findings)).toBe(
      "4 checks: 1 problem, 1 note. `rookery doctor --fix` fixes 1 of them.",
    );
    expect(formatSummary(findings.slice(0, 2))).toBe("2 checks: no problems.");
  });
});
