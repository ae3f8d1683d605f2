import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Phrases that are hard to read, by reason. */
const banned: Record<string, RegExp> = {
  "a comment or title that begins with What, Whoever, Nobody or Those":
    /(?:(?:\/\*\*?|\/\/|--|^\s*\*) |\b(?:it|test|describe)\(")(?:[Ww]hat|[Ww]hoever|[Ww]hatever|[Nn]obody|[Tt]hose (?:that|who)) [a-z]/,
  "a sentence of the docs that begins with Whoever, Whatever or Nobody":
    /(?:^|[.:|] )(?:Whoever|Whatever|Nobody|What) (?!it\b|earlier\b)[a-z]+ [^|]*[.]/,
  anew: /\banew\b/i,
  "mend (fix)": /\bmend(?:s|ed|ing)?\b/i,
  "stands in (is in)": /\bstands? (?:in|here|there|beside|nowhere|elsewhere)\b/i,
  "lets go of, hands down, hands out": /\b(?:lets? go of|hand(?:s|ed) (?:down|out))\b/i,
  "looks through, looks after (checks)": /\blook(?:s|ed|ing)? (?:through|after)\b/i,
  "is told so (is reported)": /\b(?:is|are|was|were) told (?:so|once|of|about|with)\b/i,
  "however often, whichever, whomever": /\bhowever (?:often|many|long|old)\b|\bwhichever\b|\bwhomever\b/i,
  "this very": /\b(?:that|this|the) very (?!least)\w+/i,
  somebody: /\bsomebody\b/i,
  "heard, hears of (received)": /(?<!hear )\bheard\b|\bhears? (?:of|from|about)\b/i,
  "is concerned, in the moment in which": /\bis concerned\b|\bin the moment in which\b/i,
  "now and then, by and by": /\b(?:now and then|by and by)\b/i,
  "is no matter to, gets along with (conflicts)": /\b(?:is|are) no matter (?:to|for)\b|\bgets? along\b/i,
  "in whatever place, answers so, goes on (continues)":
    /\bin whatever\b|\banswers? so\b|\b(?:turn|session|rest|work|deletion)s? (?:itself )?goes on\b/i,
  "is not told to, is believed (is trusted)": /\bnot told to\b|\b(?:is|are) believed\b/i,
  "needs more of a, less of a": /\b(?:more|less) of an? (?!kind|sort)\w+/i,
  "could not be asked (did not answer)": /\b(?:could not|cannot) be asked\b/i,
  "put before, made good, brought up to date": /\b(?:put before|made good|brought up to date)\b/i,
  "an act of (an action)": /\b(?:an?|each|every|person's|repeated) act\b(?! (?:on|as))|\bacts of\b/i,
  "knows no, is no news (has no, does not count)": /\bknows no (?!one)|\bno news\b/i,
  "for an hour at most (for at most an hour)": /\bfor an? \w+ at most\b/i,
  "is tried again, all the same (retried, anyway)": /\b(?:is|are) tried again\b|\ball the same\b/i,
  "a note came back (was recalled)": /\b(?:notes?|rows?|titles?) (?:that )?(?:came|come|comes) back\b/i,
  "stays its own, so few apart, have not at the end (remains, at most, lack)":
    /\bstays? its own\b|\bso few (?:apart|words|\w+ )|\busually have not\b/i,
  "the person's No, out of sight, in the picture":
    /\bperson's (?:No|Yes)\b|\bout of sight\b|\bin the picture\b/,
};

/** Fixtures contain the words of users. */
const excluded =
  /(?:^|\/)(?:node_modules|dist[^/]*|fixtures|labels|tools|tools-long|images)\/|english\.test\.ts$/;

const files = ["src", "tests", "scripts", "docs", "plugin"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|sql|md)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !excluded.test(path.replaceAll("\\", "/")));

describe("plain English", () => {
  it("sees the sources", () => {
    expect(files.length).toBeGreaterThan(1000);
  });

  it.each(Object.entries(banned))("avoids %s", (_name, form) => {
    const found = files.flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, n) => (form.test(line) ? [`${file}:${n + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it("quotes names of the code in comments, so that renaming one changes no sentence", () => {
    const name = /(?<![\w./@#{"'-])[a-z]+[A-Z][a-zA-Z]+(?![\w(]|\.\w)/g;
    const words = ["macOS", "sessionStorage"];
    const found = files
      .filter((file) => /^src\b.*\.tsx?$/.test(file))
      .flatMap((file) =>
        readFileSync(join(root, file), "utf8")
          .split("\n")
          .flatMap((line, n) => {
            const comment = /^\s*(?:\/\*\*|\* |\/\/)(.*)/.exec(line)?.[1] ?? "";
            const names = comment.replaceAll(/`[^`]*`/g, "").match(name) ?? [];
            return names.some((each) => !words.includes(each)) ? [`${file}:${n + 1} ${line.trim()}`] : [];
          }),
      );
    expect(found).toEqual([]);
  });

  it("has no counted noun that is plural for one: formatCount, or a choice on the same line", () => {
    const nouns =
      "agents|calls|days|entries|events|files|hooks|lines|messages|minutes|notes|people|prompts|questions|rooms|sessions|summaries|transcripts|turns|users";
    const counted = new RegExp(`(?<!/|\\bof |more than )\\$\\{[^{}]+\\} (?:[a-z]+ )?(?:${nouns})\\b`);
    // The number is at least two, or it is no number.
    const isMany =
      /=== 1|> 1|< 48|\bday\)\} days|\{wanted\}|\{inMinute|\{inHour|\{matches|\{minFailuresInARow|in \$\{sessions\}|\{command\}/;
    const found = files
      .filter((file) => file.startsWith("src/") && !/\.test\.tsx?$/.test(file))
      .flatMap((file) =>
        readFileSync(join(root, file), "utf8")
          .split("\n")
          .flatMap((line, n) =>
            counted.test(line) && !isMany.test(line) ? [`${file}:${n + 1} ${line.trim()}`] : [],
          ),
      );
    expect(found).toEqual([]);
  });
});
