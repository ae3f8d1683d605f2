import { expect, test } from "vitest";
import { keepKnownLetters } from "./known-letters.ts";

test.each([
  ["The pool ran dry, naïve café 2.", "The pool ran dry, naïve café 2."],
  ["fix the login page: 로그인", "fix the login page:  "],
  ["Redis 캐시 항목은 매일 밤 삭제된다", undefined],
  ["Устаревшие записи удаляются", undefined],
  ["连接池耗尽 pool", undefined],
  ["… 2026 😀", "… 2026 😀"],
])("keeps the part of %j that the vocabulary covers", (text, known) => {
  expect(keepKnownLetters(text)).toBe(known);
});
