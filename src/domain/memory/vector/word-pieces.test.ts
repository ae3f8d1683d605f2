import { describe, expect, it } from "vitest";
import { makeWordPieces } from "./word-pieces.ts";

const vocabulary = ["retry", "delay", "un", "##able", "##ing", "cafe", "http", "parse", "query", "2", "a"];
const cut = makeWordPieces(vocabulary);
const read = (text: string): string =>
  cut(text)
    .map((place) => vocabulary[place])
    .join(" ");

describe("makeWordPieces", () => {
  it.each([
    ["whole words", "Retry, delay!", "retry delay"],
    ["identifiers", "retryDelay parseHTTPQuery retry_delay", "retry delay parse http query retry delay"],
    ["longest pieces first", "unable delaying", "un ##able delay ##ing"],
    ["accents", "Café", "cafe"],
    ["digits after letters", "retry2", ""],
    ["what cannot be made of pieces", "zzz retry unzzz", "retry"],
    ["nothing", "… — 😀", ""],
    ["a word without end", "a".repeat(100), ""],
  ])("%s", (_case, text, pieces) => {
    expect(read(text)).toBe(pieces);
  });

  it("reads only the beginning of a long text", () => {
    expect(cut("retry ".repeat(10_000)).length).toBe(400);
  });
});
