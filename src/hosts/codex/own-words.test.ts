import { expect, test } from "vitest";
import { events } from "./events.ts";
import { readOwnWords } from "./own-words.ts";
import { transcripts } from "./transcripts.ts";

const context = "# Context from my IDE setup:\n\n## Active file: src/pool.ts\n\n## My request for Codex:\n";

test("open files and attachments in front of a request are not the person's words", () => {
  expect(readOwnWords(`${context}Fix the pool.\n`)).toBe("Fix the pool.\n");
  expect(
    readOwnWords("# Files mentioned by the user:\n\n## a.png: /a.png\n\n## My request for Codex:\nLook."),
  ).toBe("Look.");
  for (const text of ["Fix it.", `Why does it say\n${context}x`, "# Context from my IDE setup:\nis unclear"])
    expect(readOwnWords(text)).toBe(text);
});

test("hooks and rollouts of both formats yield the same prompt", () => {
  const prompt = `${context}Fix the pool.`;
  expect(events.normalise({ prompt, turn_id: "t" })).toMatchObject({ prompt: "Fix the pool." });
  const message = { type: "user_message", message: prompt };
  const item = { type: "UserMessage", id: "m", content: [{ type: "text", text: prompt }] };
  for (const payload of [message, { type: "item_completed", thread_id: "s", turn_id: "t", item }]) {
    const line = JSON.stringify({ timestamp: "2026-02-01T10:00:00.000Z", type: "event_msg", payload });
    expect(transcripts.readLine(line)).toMatchObject([{ kind: "prompt", text: "Fix the pool." }]);
  }
});
