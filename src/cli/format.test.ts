import { describe, expect, it } from "vitest";
import { wrapLines, formatTable } from "./format.ts";
import { displayWidth, truncateLine } from "./text-width.ts";

describe("the width of a text on a terminal", () => {
  it.each([
    ["plain", 5],
    ["", 0],
    ["漢字", 4],
    ["ひらがな", 8],
    ["한국어", 6],
    ["ｱｲｳ", 3],
    ["Ｆｕｌｌ", 8],
    ["é", 1],
    ["e\u0301", 1],
    ["🦊", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["☂\ufe0f", 2],
    ["→ ok ✓", 6],
    ["a\u200bb", 2],
  ])("%j is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    ["short", 10, "short"],
    ["exactly ten", 11, "exactly ten"],
    ["two\n lines\tand more", 11, "two lines…"],
    ["漢字漢字", 5, "漢字…"],
    ["漢字漢字", 4, "漢…"],
    ["👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, "👩‍👩‍👧…"],
  ])("%j cut to %i is %j", (text, width, cut) => {
    expect(truncateLine(text, width)).toBe(cut);
    expect(displayWidth(truncateLine(text, width))).toBeLessThanOrEqual(width);
  });
});

describe("a table", () => {
  const header = ["Id", "Calls", "Project", "Title"];
  const rows = [
    [
      "4f2a9c1e",
      "7",
      "a-project-with-quite-a-long-name",
      "漢字 in the title of a note, and much more to say",
    ],
    ["77b0d3aa", "1200", "api", "🦊 short"],
  ];

  it.each([40, 60, 80, 100])("fits %i columns, a line for each row", (columns) => {
    const lines = formatTable(header, rows, columns).split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(lines[1]).toContain("4f2a9c1e");
  });

  it("gives the width to the last column: long names in other columns are cut first", () => {
    const [, line = ""] = formatTable(header, rows, 80).split("\n");
    expect(line).toContain("漢字 in the title of a note, and much");
    expect(line).toMatch(/a-project-with-\w+…/);
  });

  it("cuts nothing without a width limit", () => {
    const text = formatTable(header, rows, Number.POSITIVE_INFINITY);
    for (const cell of rows.flat()) expect(text).toContain(cell);
  });

  it("does not pad every row to the longest one when it is piped", () => {
    const long = "x".repeat(500);
    const lines = formatTable(
      ["Id", "Text", "At"],
      [
        ["1", long, "now"],
        ["2", "short", "then"],
      ],
      Number.POSITIVE_INFINITY,
    ).split("\n");
    expect(lines[1]).toContain(`${long}  now`);
    expect(lines[2]?.length).toBeLessThan(100);
  });

  it("puts every row on one line, and numbers to the right", () => {
    expect(
      formatTable(
        ["N", "Text"],
        [
          ["5", "a\nb"],
          ["10", "c"],
        ],
        80,
      ),
    ).toBe(" N  Text\n 5  a b\n10  c");
  });

  it("aligns columns by display width, not by string length", () => {
    const [, first = "", second = ""] = formatTable(
      ["Who", "What"],
      [
        ["漢字", "x"],
        ["abcd", "y"],
      ],
      80,
    ).split("\n");
    expect(displayWidth(first.slice(0, first.indexOf("x")))).toBe(second.indexOf("y"));
  });
});

describe("a paragraph", () => {
  it("is wrapped by display width", () => {
    const lines = wrapLines("漢字漢字 漢字漢字 abcd", 20, "  ", "    ").split("\n");
    expect(lines).toEqual(["  漢字漢字 漢字漢字", "    abcd"]);
  });
});
