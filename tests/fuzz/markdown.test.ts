import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Block, parseMarkdown } from "../../src/viewer/data/markdown.ts";
import type { Inline } from "../../src/viewer/data/markdown-inline.ts";
import { fuzz } from "./fuzz.ts";
import { text } from "./hostile.ts";

/** Pieces of Markdown, in any order and nesting. */
const markdown = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(..."# |## |- |* |1. |7) |> |```|~~~|```ts\n|    |\t|\n|\n\n".split("|")),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "*",
          "**",
          "***",
          "_",
          "~~",
          "`",
          "``",
          "\\",
          "[",
          "](",
          ")",
          "|",
          "|-|-|\n",
        ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom("[x] ", "[ ] ", "[a](https://b.c)", "[a](javascript:b)", "![a](//b)"),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom("https://a.b/c", "<https://a.b>", "mailto:a@b.c", "<script>", "a b", "c"),
      },
      { weight: 1, arbitrary: text },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join("").toWellFormed());

fuzz("Markdown in the viewer", markdown, (written) => {
  const blocks = parseMarkdown(written);
  expect(depthOf(blocks)).toBeLessThan(20);
  for (const href of blocks.flatMap(listHrefs))
    expect(href).toMatch(/^(?:https?:\/\/[^@/]+(?:[/?#]|$)|mailto:)/);
  // No letter is left out: a text cannot hide anything from the person who reads it.
  expect(lettersOf(blocks.map(showBlock).join(" "))).toBe(lettersOf(written));
});

function lettersOf(shown: string): string {
  return (shown.match(/\p{L}/gu) ?? []).join("").toLowerCase();
}

function showBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return showInline(block.content);
    case "code":
      return block.info + block.text;
    case "quote":
      return block.blocks.map(showBlock).join("");
    case "list":
      return block.items
        .map((item) => (item.isDone ? "x" : "") + item.blocks.map(showBlock).join(""))
        .join("");
    case "table":
      return [block.head, ...block.rows].flat().map(showInline).join("");
    default:
      return "";
  }
}

function showInline(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.type === "code") return part.text;
      return showInline(part.content) + (part.type === "link" ? part.target : "");
    })
    .join("");
}

/** Every object below a parsed text, which has no cycles. */
function listObjects(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(listObjects)];
}

function listHrefs(block: Block): string[] {
  return listObjects(block).flatMap((part) =>
    "href" in part && typeof part.href === "string" ? part.href : [],
  );
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).map(depthOf);
  return Math.max(0, ...inner) + ("type" in value ? 1 : 0);
}

/** Patterns that make other parsers quadratic or worse: a part that is repeated, between a start and an end. */
const parts =
  "[ ![ ]( [a]( [a](b ` `` ```` * ** _ __ *a **a* _a_ ~~ ~~a < <h \\ | |- || > - # https:// <https:// ( )";
const patterns: [part: string, start?: string, end?: string][] = [
  ...parts.split(" ").map((part): [string] => [part]),
  ...["a**b *c ** d", "[a](b(c)", "`` ` ", "- \n", "> ", "|\n", "\n", "   "].map((part): [string] => [part]),
  ...["|-|\n", "1. a\n\n", "*a_", "a\n|-|x\n", "  - a\n", "> - ", "*a\n"].map((part): [string] => [part]),
  ["-", "|a|\n|", "x"],
  ["~", "~~~", "`"],
  [" ", "` ", "a`"],
  [")", "https://a"],
  ["(b)", "[a](", ""],
  ["- ", "", "x"],
];

function timeOf(written: string): number {
  const before = process.threadCpuUsage();
  parseMarkdown(written);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

test("the time for Markdown grows with its length only", () => {
  const slow = patterns.filter(([part, start = "", end = ""]) => {
    const bestOf = (length: number): number => {
      const written = start + part.repeat(Math.ceil(length / part.length)) + end;
      return Math.min(timeOf(written), timeOf(written));
    };
    // A quadratic parser takes 64 times as long for 8 times the text.
    return bestOf(64_000) > 30 * Math.max(bestOf(8_000), 3);
  });
  expect(slow).toEqual([]);
});
