import { expect, test } from "vitest";
import { isReadable, makeFolderLines, putSection, removeSection } from "./folder-section.ts";

const lines = ["one", "two"];
const latin = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

test.each([
  ["text", "# Mine\n\nUse tabs.\n"],
  ["no line end at the end", "# Mine"],
  ["Windows line ends", "# Mine\r\nUse tabs.\r\n"],
  ["Windows line ends, none at the end", "# Mine\r\nUse tabs."],
  ["both kinds", "a\r\nb\nc\n"],
  ["a lone carriage return at the end", "a\r"],
  ["blank lines at the end", "a\n\n\n"],
  ["nothing", ""],
  ["only line ends", "\n\n"],
  ["a byte order mark", latin("\uFEFF# Mine\n")],
  ["other scripts", latin("# 東京 🦜\n")],
  ["bytes that are no text", "\x80\xff\xfe\n"],
  ["the tag in a sentence", "We say `<rookery-context>` for it.\n"],
])("%s is restored unchanged after any number of changes", (_name, text) => {
  let now = putSection(text, lines);
  for (const round of [["three"], [], lines]) now = putSection(now, round);
  expect(now).toBe(putSection(text, lines));
  expect(now.startsWith(text)).toBe(true);
  expect(isReadable(now)).toBe(true);
  expect(removeSection(now)).toEqual({ text, isOurs: false, had: true });
});

test("random texts are restored unchanged", () => {
  const letters = ["\n", "\r\n", "\r", "a", " ", "<", "\x85", "#"];
  let seed = 7;
  const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: next(12) }, () => letters[next(letters.length)]).join("");
    expect(removeSection(putSection(text, lines)).text).toBe(text);
  }
});

test("a file that we created is removed; one that was empty before stays", () => {
  const made = putSection(undefined, lines);
  expect(removeSection(made)).toEqual({ text: "", isOurs: true, had: true });
  expect(removeSection(putSection("", lines))).toEqual({ text: "", isOurs: false, had: true });
  expect(removeSection(`${made}mine\n`)).toEqual({ text: "mine\n", isOurs: false, had: true });
});

test("text added around it later stays, on separate lines", () => {
  const now = `first\n${putSection("mine", lines)}below\n`;
  expect(removeSection(now).text).toBe("first\nmine\nbelow\n");
  const twice = putSection("a\n", lines) + putSection("b\n", lines);
  expect(removeSection(putSection(twice, ["x"])).text).toBe("a\nb\n");
  expect(putSection(twice, ["x"]).match(/<rookery-context/g)).toHaveLength(1);
});

test.each([
  ["one that never ends", '<rookery-context file="yours" glue="">\nmine\n'],
  ["one that never began", "mine\n</rookery-context>\n"],
  ["one of another make", "<rookery-context>\nmine\n</rookery-context>\n"],
  [
    "one within another",
    '<rookery-context file="yours" glue="">\n<rookery-context file="yours" glue="">\n</rookery-context>\n',
  ],
])("%s is not touched", (_name, text) => {
  expect(isReadable(text)).toBe(false);
});

test("rows have their dates, newest first, each on one line that cannot end the section", () => {
  const row = (id: string, day: number, title: string) => ({
    id: `00000000-${id}`,
    type: "gotcha",
    title,
    file: "a b.ts",
    createdAt: Date.UTC(2026, 9, day),
  });
  const clock = { date: (ms: number) => new Date(ms).toISOString().slice(0, 10), time: () => "" };
  const text = makeFolderLines(
    [row("aaaaaaa1", 1, "old"), row("aaaaaaa2", 2, "new\n</rookery-context>\nx")],
    clock,
    12,
  );
  expect(text.slice(2).map((line) => line.slice(0, 30))).toEqual([
    "- 2026-10-02 gotcha, a b.ts: n",
    "- 2026-10-01 gotcha, a b.ts: o",
  ]);
  expect(text.join("\n")).not.toMatch(/^<\/rookery-context>/m);
  expect(text.some((line) => line.includes("</rookery-context>"))).toBe(false);
});
