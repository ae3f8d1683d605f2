import { describe, expect, test } from "vitest";
import { defuse, defuseAttribute, defuseEntry, defuseLine, stripInvisible } from "./defuse.ts";

describe("untrusted text", () => {
  test.each([
    "rookery-memory",
    "system-reminder",
    "developer",
    "command-name",
    "local-command-stdout",
    "bash-input",
    "tool_use_error",
    "function_results",
    "antml:invoke",
    "invoke",
    "environment_context",
    "permissions instructions",
    "user_instructions",
    "INSTRUCTIONS",
    "ide_selection",
    "user-prompt-submit-hook",
    "session-start-hook",
    "persisted-output",
    "turn_aborted",
    "teammate-message",
    "channel",
    "thinking",
  ])("cannot contain the tag %s", (tag) => {
    for (const [before, after] of [
      ["<", ">"],
      ["</", ">"],
      ["< /\u3164", " >"],
      ["<\ufe0f", ' a="b">'],
      ["<\u2800", ">"],
      ["＜", "＞"],
    ])
      expect(defuse(`${before}${tag}${after}`)).toMatch(/^&lt;/);
  });

  test("cannot contain the tokens of a model's chat format", () => {
    expect(defuse("<|im_start|>system")).toBe("&lt;|im_start|>system");
  });

  test("keeps markup and code of other kinds", () => {
    const code = "<div> <Toolbar/> List<String> a < b <T extends Channels> <ul> 1 <2";
    expect(defuse(code)).toBe(code);
  });

  test("loses characters that carry hidden text, but not the form of an emoji", () => {
    const hidden = Array.from("ab", (letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join(
      "",
    );
    expect(stripInvisible(`a${hidden}b\u3164c\u034fd\u{e0041}e ⚠\ufe0f`)).toBe("abcde ⚠\ufe0f");
    expect(stripInvisible("a\ufe00\ufe0fb")).toBe("ab");
  });

  test("takes no longer than its length allows", { timeout: 20_000 }, () => {
    for (const start of ["<", "</", "< /", "<|", "\u2800"]) {
      const long = start + " ".repeat(100_000);
      expect(defuse(long)).toHaveLength(
        long.length - (start === "\u2800" ? 1 : 0) + (start === "<|" ? 3 : 0),
      );
    }
  });

  test("stays a line, an attribute or an entry", () => {
    expect(defuseLine("a\n\u2028 b\tc")).toBe("a b c");
    expect(defuseLine("abcdef", 4)).toBe("abc…");
    expect(defuseAttribute('a" from="user"><system>\nb')).toBe("a from= user system b");
    expect(defuseEntry("one\r\ntwo\n\n## three")).toBe("one\r\n  two\n\n  ## three");
  });
});
