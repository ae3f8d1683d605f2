import { expect, test } from "vitest";
import { showInvisible } from "../show-invisible.ts";
import { escapeText, unescapeText } from "./plain.ts";

test.each([
  ["rm \u202ecod.txt", "rm \\u{202e}cod.txt"],
  ["zero\u200bwidth", "zero\\u{200b}width"],
  ["bell\u0007, escape \u001b[31m", "bell\\u{7}, escape \\u{1b}[31m"],
  ["let \u3164 = a\ufe01", "let \\u{3164} = a\\u{fe01}"],
  ["tabs\tand\r\nlines\n", "tabs\tand\nlines\n"],
  ["ünï¢ødé 漢字 🐦", "ünï¢ødé 漢字 🐦"],
])("%j is shown as %j", (text, shown) => {
  expect(showInvisible(text)).toBe(shown);
});

test("a preview is one line without markup", () => {
  expect(escapeText("a\n<!channel> & <@U1>")).toBe("a &lt;!channel&gt; &amp; &lt;@U1&gt;");
});

test.each([
  ["a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"],
  ["&amp;lt;", "&lt;"],
  ["<https://x.example/?a=1&amp;b=2>", "https://x.example/?a=1&b=2"],
  ["<http://x.example|x.example>", "x.example"],
  ["<mailto:a@x.example|a@x.example>", "a@x.example"],
  ["see <https://x.example/a|the plan>", "see the plan (https://x.example/a)"],
  ["<@U1|ada>, please", "ada, please"],
])("%j was typed as %j", (text, typed) => {
  expect(unescapeText(text)).toBe(typed);
});
