import { expect, test } from "vitest";
import { keepKnownLetters } from "./known-letters.ts";

test.each([
  ["The pool ran dry, naïve café 2.", "The pool ran dry, naïve café 2."],
  ["fix the page: 봄이 온다", "fix the page:    "],
  ["Redis 캐시 삭제", "Redis  cache   delete remove erase "],
  ["봄꽃과 나비가 춤춘다 Redis", undefined],
  ["Устаревшие записи удаляются", undefined],
  ["春眠不觉晓 pool", undefined],
  ["… 2026 😀", "… 2026 😀"],
])("keeps the part of %j that the vocabulary covers", (text, known) => {
  expect(keepKnownLetters(text)).toBe(known);
});
