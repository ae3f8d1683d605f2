import { expect, test } from "vitest";
import { makeDoneNotice, makeFailedNotice, makeStuckNotice } from "./notices.ts";

const asker = { project: "api", agent: "api-rook", sessionId: "s", subagent: null };

test("a finished turn shows its last message, changed files and duration", () => {
  const files = ["/a/one.ts", "/a/two.ts", "c:\\three.ts", "4", "5", "6", "7"];
  const { headline, body } = makeDoneNotice(asker, {
    lastMessage: "All green.",
    filesChanged: files,
    durationMs: 125_000,
  });
  expect(headline).toBe("api-rook is done");
  expect(body).toBe("All green.\ntook 2 min · changed one.ts, two.ts, three.ts, 4, 5 and 2 more");
});

test("a long message is cut and has no invisible characters", () => {
  const { body } = makeDoneNotice(asker, {
    lastMessage: `\u202e${"word ".repeat(1_000)}`,
    filesChanged: [],
    durationMs: 3_700_000,
  });
  expect(body.length).toBeLessThan(700);
  expect(body).toMatch(/^word word.* word…\ntook 62 min$/s);
});

test("a failure names its cause, once", () => {
  expect(makeFailedNotice(asker, "unknown", "API Error: 400").body).toBe("API Error: 400");
  expect(makeFailedNotice(asker, "overloaded", null).body).toBe("overloaded");
  expect(makeStuckNotice(asker, "Bash", "no such file")).toMatchObject({
    kind: "failed",
    body: "Bash: no such file",
  });
});
