import { describe, expect, test } from "vitest";
import { parseMarkdown } from "./markdown.ts";
import { type Inline, parseInline, safeAddress } from "./markdown-inline.ts";

/** Short notation: `<b>` for a mark, so that a row shows the whole result. */
function write(parts: readonly Inline[]): string {
  const names = { strong: "b", emphasis: "i", both: "bi", deleted: "s" } as const;
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.type === "code") return `{${part.text}}`;
      if (part.type === "link") return `<a ${part.href ?? "–"}>${write(part.content) || part.target}</a>`;
      return `<${names[part.type]}>${write(part.content)}</${names[part.type]}>`;
    })
    .join("");
}

test.each([
  ["**bold**, *slanted*, ***both***, ~~gone~~", "<b>bold</b>, <i>slanted</i>, <bi>both</bi>, <s>gone</s>"],
  ["_slanted_", "<i>slanted</i>"],
  ["**bold with *slanted* in it**", "<b>bold with <i>slanted</i> in it</b>"],
  ["**🚀 Done ✅**", "<b>🚀 Done ✅</b>"],
  ["snake_case_name and __init__.py", "snake_case_name and __init__.py"],
  ["src/**/*.ts and **/*.js, 2*3*4, a * b * c", "src/**/*.ts and **/*.js, 2*3*4, a * b * c"],
  ["(*.ts|*.js)", "(*.ts|*.js)"],
  ["**never closed", "**never closed"],
  ["**a *b** c*", "<b>a *b</b> c*"],
  ["run `npm test` and ``a ` b``", "run {npm test} and {a ` b}"],
  ["`**not bold**`", "{**not bold**}"],
  ["a ` alone", "a ` alone"],
  ["C:\\Users\\_me and \\*no\\*", "C:\\Users_me and *no*"],
  ["<b>html</b> <script>x</script>", "<b>html</b> <script>x</script>"],
  ["[docs](https://example.org/a)", "<a https://example.org/a>docs</a>"],
  ["[`code`](https://example.org/a_(b))", "<a https://example.org/a_(b)>{code}</a>"],
  ["![picture](https://example.org/x.png)", "<a https://example.org/x.png>picture</a>"],
  ["[file](src/a.ts#L3)", "<a –>file</a>"],
  ["[x](javascript:alert(1))", "<a –>x</a>"],
  [
    "see https://example.org/a. (http://b.example/c)",
    "see <a https://example.org/a>https://example.org/a</a>. (<a http://b.example/c>http://b.example/c</a>)",
  ],
  [
    "<https://example.org> <mailto:a@example.org>",
    "<a https://example.org/>https://example.org</a> <a mailto:a@example.org>mailto:a@example.org</a>",
  ],
  ["[[https://example.org](https://other.example)", "[<a https://other.example/>https://example.org</a>"],
])("%s", (text, expected) => {
  expect(write(parseInline(text))).toBe(expected);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,<script>x</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "//attacker.example",
  "https://bank.example@attacker.example/",
  "https://user:word@attacker.example/",
  "https://",
  " https://example.org",
  "java\nscript:x",
])("%j is never opened", (target) => {
  expect(safeAddress(target)).toBeUndefined();
});

test("a name in other letters is shown in its ASCII form", () => {
  expect(safeAddress("https://аррӏе.example/")).toBe("https://xn--80ak6aa92e.example/");
});

describe("blocks", () => {
  const typesOf = (text: string): string[] => parseMarkdown(text).map(({ type }) => type);

  test("headings, paragraphs, rules, code and quotes", () => {
    const text =
      "# One\ntext\nmore\n\n---\n```ts src/a.ts\nconst a = 1;\n\n# not a heading\n```\n> quoted\n> ## deep\n\n    indented";
    expect(parseMarkdown(text)).toEqual([
      { type: "heading", level: 1, content: ["One"] },
      { type: "paragraph", content: ["text\nmore"] },
      { type: "rule" },
      { type: "code", info: "ts src/a.ts", text: "const a = 1;\n\n# not a heading" },
      {
        type: "quote",
        blocks: [
          { type: "paragraph", content: ["quoted"] },
          { type: "heading", level: 2, content: ["deep"] },
        ],
      },
      { type: "code", info: "", text: "indented" },
    ]);
  });

  test("a code block without an end runs to the end of the text", () => {
    expect(parseMarkdown("a\n```\nb\n\nc")).toMatchObject([
      { type: "paragraph" },
      { type: "code", text: "b\n\nc" },
    ]);
  });

  test("lists: nested, numbered, with several blocks and with tasks", () => {
    const text =
      "Do:\n- one\n  - two\n  - three\n- [x] four\n\n  more of four\n- [ ] five\nEnd.\n\n3. c\n7. d\n\n\n8. e";
    const paragraph = (content: string) => ({ type: "paragraph", content: [content] });
    const item = (number: number | undefined, ...blocks: object[]) => ({ number, isDone: undefined, blocks });
    expect(parseMarkdown(text)).toEqual([
      paragraph("Do:"),
      {
        type: "list",
        isNumbered: false,
        items: [
          item(undefined, paragraph("one"), {
            type: "list",
            isNumbered: false,
            items: [item(undefined, paragraph("two")), item(undefined, paragraph("three"))],
          }),
          { number: undefined, isDone: true, blocks: [paragraph("four"), paragraph("more of four")] },
          { number: undefined, isDone: false, blocks: [paragraph("five")] },
        ],
      },
      paragraph("End."),
      {
        type: "list",
        isNumbered: true,
        items: [item(3, paragraph("c")), item(7, paragraph("d")), item(8, paragraph("e"))],
      },
    ]);
  });

  test("a table, with pipes in code, missing cells and cells beyond the head", () => {
    const text = "| a | b |\n|:--|--:|\n| `x|y` | 1 |\n| only |\n| 1 | 2 | 3 |\nafter";
    expect(parseMarkdown(text)).toEqual([
      {
        type: "table",
        align: ["left", "right"],
        head: [["a"], ["b"]],
        rows: [
          [[{ type: "code", text: "x|y" }], ["1"]],
          [["only"], []],
          [["1"], ["2 | 3"]],
        ],
      },
      { type: "paragraph", content: ["after"] },
    ]);
    expect(typesOf(`${"|a".repeat(21)}|\n${"|-".repeat(21)}|`)).toEqual(["paragraph"]);
  });

  test("the lines of a diff keep their signs", () => {
    expect(parseMarkdown("+ added\n+ more")).toEqual([{ type: "paragraph", content: ["+ added\n+ more"] }]);
  });

  test("nesting is bounded", () => {
    const depthOf = (blocks: object[]): number =>
      Math.max(0, ...blocks.map((block) => 1 + depthOf("blocks" in block ? (block.blocks as object[]) : [])));
    expect(depthOf(parseMarkdown(`${">".repeat(5_000)} x`))).toBeLessThan(9);
    expect(depthOf(parseMarkdown(`${"- ".repeat(5_000)}x`))).toBeLessThan(9);
  });
});
