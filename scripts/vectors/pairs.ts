// Pairs of texts with the same meaning or subject, mined from package text: a heading and its section, the
// first sentence of a change and the rest, a name and its comment, a word and its definition.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeRandom, shuffle } from "./random.ts";

type Pair = [string, string];

const mostOfOneKind = 80_000;

/** By kind of text: the negative examples in training are of the same kind. */
export function minePairs(wordNet: string, packages: readonly string[]): Record<string, Pair[]> {
  const files = packages.flatMap(listFiles);
  const markdown = files.filter((file) => file.endsWith(".md") && !/licen[cs]e/i.test(basename(file)));
  const isLog = (file: string): boolean => /^change(log|s)|^history/i.test(basename(file));
  const read = (file: string): string => readFileSync(file, "utf8");
  return {
    words: readWordNet(wordNet),
    changes: tidy(markdown.filter(isLog).flatMap((file) => readChanges(read(file)))),
    sections: tidy(markdown.filter((file) => !isLog(file)).flatMap((file) => readSections(read(file)))),
    comments: tidy(
      files.filter((file) => file.endsWith(".d.ts")).flatMap((file) => readComments(read(file))),
    ),
  };
}

/** WordNet's data files: the words of a meaning with its definition, and the definition with the first example. */
function readWordNet(folder: string): Pair[] {
  return ["noun", "verb", "adj", "adv"].flatMap((part) =>
    readFileSync(join(folder, "dict", `data.${part}`), "latin1")
      .split("\n")
      .filter((line) => /^\d/.test(line))
      .flatMap((line): Pair[] => {
        const [head = "", gloss = ""] = line.split(" | ", 2);
        const fields = head.split(" ");
        const words = Array.from({ length: Number.parseInt(fields[3] ?? "0", 16) }, (_, n) =>
          (fields[4 + 2 * n] ?? "").replace(/\(.*?\)/, "").replaceAll("_", " "),
        );
        const [definition = "", example] = gloss.trim().split('; "');
        const meaning: Pair = [words.join(", "), definition];
        return example ? [meaning, [definition, example]] : [meaning];
      }),
  );
}

function readChanges(text: string): Pair[] {
  return text.split(/\n(?=[-*] |#)/).flatMap((entry): Pair[] => {
    const paragraphs = entry
      .replace(/^(#+ [^\n]*|[-*] )/, "")
      .split(/\n\s*\n/)
      .map(cleanMarkdown)
      .filter((paragraph) => paragraph.length > 20);
    const [first = "", ...others] = listSentences(paragraphs[0] ?? "");
    return [[dropCredits(first), [...others, ...paragraphs.slice(1)].join(" ")]];
  });
}

function readSections(text: string): Pair[] {
  return [...text.matchAll(/^#{1,4} +([^\n]+)\n([\s\S]*?)(?=^#|$(?![\s\S]))/gm)].flatMap(
    ([, heading = "", section = ""]): Pair[] => {
      const body = cleanMarkdown(section);
      const [first = "", ...others] = listSentences(body);
      return [
        [cleanMarkdown(heading), body],
        [first, others.slice(1).length > 0 ? others.join(" ") : ""],
      ];
    },
  );
}

function readComments(text: string): Pair[] {
  const declared =
    /(?:(?:export|declare|readonly|function|const|interface|type|class)\s+)*([A-Za-z_$][\w$]*)/;
  const documented = new RegExp(String.raw`/\*\*([\s\S]*?)\*/\s*${declared.source}`, "g");
  return [...text.matchAll(documented)].flatMap(([, comment = "", name = ""]): Pair[] => {
    const told = comment.replace(/^\s*\*\s?/gm, "").split(/\n\s*@/)[0] ?? "";
    const body = cleanMarkdown(told);
    const [first = "", ...others] = listSentences(body);
    return [
      [name, body],
      [first, others.join(" ")],
    ];
  });
}

function tidy(pairs: readonly Pair[]): Pair[] {
  const cut = pairs.map(([a, b]): Pair => [a.slice(0, 300), b.slice(0, 1200)]);
  const useful = cut.filter(([a, b]) => a.length > 5 && b.length > 40);
  const unique = [...new Map(useful.map((pair) => [pair.join("\n"), pair])).values()];
  return shuffle(unique, makeRandom(1)).slice(0, mostOfOneKind);
}

function listSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=[A-Z`])/).filter((sentence) => sentence.length > 8);
}

function cleanMarkdown(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, " ")
    .replace(/<[^>]{1,80}>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** "#123 `0a1b2c3` Thanks @someone! - " */
function dropCredits(text: string): string {
  return text.replace(/^(\[?#\d+\]?|`?[0-9a-f]{7,40}`?|Thanks @\S+!?|[-–—:,\s]+)+/, "");
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\.md$|\.d\.ts$/.test(file))
    .toSorted();
}
