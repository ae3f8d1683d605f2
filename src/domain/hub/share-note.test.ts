import { expect, it } from "vitest";
import { encodeNote, isShareable } from "./share-note.ts";

const note = {
  type: "decision" as const,
  title: "Deploy from tags",
  narrative: "See /home/ada/api/deploy.sh.",
  facts: [] as string[],
  concepts: [],
  filesRead: ["/home/ada/notes.md"],
  filesModified: [],
  provenance: "distil",
  supersededBy: null,
};

it("shares notes of this machine, but no preference and no note of another", () => {
  const usual = { withPreferences: false };
  expect(isShareable({ type: "decision", author: null }, usual)).toBe(true);
  expect(isShareable({ type: "preference", author: null }, usual)).toBe(false);
  expect(isShareable({ type: "preference", author: null }, { withPreferences: true })).toBe(true);
  expect(isShareable({ type: "decision", author: "bob" }, { withPreferences: true })).toBe(false);
});

it("replaces the home folder and redacts secrets and private spans again", () => {
  const facts = ["The key is AKIAIOSFODNN7EXAMPLE.", "<private>the plan</private> stays", "a\0b \ud800c"];
  const { body, hidden } = encodeNote({ ...note, facts }, "/home/ada");
  expect(body.narrative).toBe("See ~/api/deploy.sh.");
  expect(body.filesRead).toEqual(["~/notes.md"]);
  expect(JSON.stringify(body)).not.toMatch(/AKIA|the plan|\\u0000|\\ud800/);
  expect(hidden).toBe(2);
});
