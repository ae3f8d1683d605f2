import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Phrases that are hard to read, by reason. */
const banned: Record<string, RegExp> = {
  "a comment that begins with What, Whoever, Nobody or Those":
    /(?:\/\*\*?|\/\/|^\s*\*) (?:What|Whoever|Whatever|Nobody|Those (?:that|who)) /,
  anew: /\banew\b/i,
  repair: /\bmend(?:s|ed|ing)?\b/i,
  "stand in (a file, a table)": /\bstands? (?:nowhere|elsewhere) else\b/i,
  "lets go of": /\blets? go of\b/i,
};

const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

describe("plain English", () => {
  it("sees the sources", () => {
    expect(files.length).toBeGreaterThan(500);
  });

  it.each(Object.entries(banned))("avoids %s", (_name, form) => {
    const found = files.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, n) => (form.test(line) ? [`${relative(root, file)}:${n + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
