import { describe, expect, it } from "vitest";
import { compareSpelling } from "./spelling.ts";

describe("spelling", () => {
  it.each([
    ["another form of a word", "config reload", "reloading the configuration", "colours of the header"],
    ["a slip of the hand", "authentification", "authentication of users", "authors of the page"],
    ["a name written differently", "retry_delay_ms", "the value of retryDelayMs", "the value of maxDelay"],
    ["words that stand together", "dead letter", "goes to the dead letter queue", "the letter was dead"],
    ["what is rare among them", "cache warmup", "warmup of pages", "cache of pages"],
    ["the shorter of two that have it", "pool size", "pool size", `pool size ${"and much else ".repeat(20)}`],
    ["upper case and signs", "PATH: /usr", "path /usr", "paths and users"],
    ["letters of any script", "настройка кэша", "настройки кэша", "строка меню"],
  ])("prefers %s", (_case, asked, better, worse) => {
    const others = ["a cache of something", "a cache of something else"];
    const [high = 0, low = 0] = compareSpelling(asked, [better, worse, ...others]);
    expect(high).toBe(1);
    expect(low).toBeLessThan(1);
  });

  it("returns 0 if there is nothing to compare", () => {
    expect(compareSpelling("", ["a text", ""])).toEqual([0, 0]);
    expect(compareSpelling("wombat", ["", "of the"])).toEqual([0, 0]);
    expect(compareSpelling("wombat", [])).toEqual([]);
  });

  it("reads only the beginning of a very long text", () => {
    const late = `${"x ".repeat(4_000)}wombat`;
    expect(compareSpelling("wombat", [late, "wombat"])).toEqual([0, 1]);
  });
});
