import { expect, test } from "vitest";
import { judgeNoteUse } from "./note-use.ts";

const note = {
  id: "01a1e8c8-6690-7e62-9665-d5d6c0909a30",
  text: "The pool runs dry under load. Workers keep their connection after a timeout: return it in a finally block.",
};
const turn = { prompt: "Why does the pool run dry?", opened: [] as string[], said: "", outputs: "" };
const reply = "Workers keep the connection after the timeout, so it is returned in a finally block now.";

test.each<[string, string, Partial<typeof turn>]>([
  ["opened", "the agent asked for it by the end of its id", { opened: ["c0909a30"] }],
  ["no", "the agent asked for another note", { opened: ["ffff0000"] }],
  ["named", "the agent cites its short id", { said: "As noted (c0909a30), I return it." }],
  ["words", "the reply has its words, which are nowhere else", { said: reply }],
  ["no", "the reply has only the words of the prompt", { said: "The pool was dry; I doubled its size." }],
  ["no", "the agent read the same words in a file", { said: reply, outputs: `// ${note.text}` }],
  ["no", "the prompt says the same already", { said: reply, prompt: note.text }],
  ["no", "two words are a coincidence", { said: "A timeout of the connection." }],
  ["no", "common words do not count", { said: "After this, with that, their it and the under." }],
  ["no", "nothing was said", {}],
])("%s: %s", (use, _why, changes) => {
  expect(judgeNoteUse(note, { ...turn, ...changes })).toBe(use);
});

test("a few words of a long note are not enough", () => {
  const long = {
    ...note,
    text: Array.from({ length: 60 }, (_, n) => `word${String.fromCharCode(97 + (n % 26))}${n}x`).join(" "),
  };
  const said = long.text.split(" ").slice(0, 5).join(" ");
  expect(judgeNoteUse(long, { ...turn, said })).toBe("no");
});
