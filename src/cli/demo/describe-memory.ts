import type { Style } from "../style.ts";
import { padEnd, shorten } from "../text-width.ts";
import type { MemoryFacts } from "./remember.ts";
import { chapter, fill } from "./describe-frame.ts";

export function describeMemory(facts: MemoryFacts, style: Style): string {
  return [
    chapter(1, "What it remembers", style),
    ...describePrompts(facts, style),
    ...describeNotes(facts, style),
    ...describeSecrets(facts, style),
    ...describeSearch(facts, style),
    ...describeNextSession(facts, style),
  ].join("\n");
}

function describePrompts({ prompts, project, sessions }: MemoryFacts, style: Style): string[] {
  return [
    `Somebody typed, in ${sessions} sessions of the project ${project}:`,
    ...prompts.map((prompt) => style.dim(`  > ${shorten(prompt, style.width - 4)}`)),
  ];
}

function describeNotes({ notes }: MemoryFacts, style: Style): string[] {
  const indent = " ".repeat(20);
  return [
    "\nKept of it, without a model:",
    ...notes.map(({ type, title }) => fill(title, style, `  ${type.padEnd(18)}`, indent)),
  ];
}

function describeSecrets({ planted, scan }: MemoryFacts, style: Style): string[] {
  const { key, privateWords, plainWord } = planted;
  const row = (word: string, what: string): string => {
    const files = scan.found[word]?.length ?? 0;
    return `  ${padEnd(word, 22)}${padEnd(what, 34)}${style.bold(`in ${files} of ${scan.files} files`)}`;
  };
  return [
    "\nNot kept, and searched for in every file it wrote:",
    row(key, "the key in .env (made up)"),
    ...privateWords.map((word) => row(word, "from inside <private>…</private>")),
    row(plainWord, "no secret, to show it looks"),
  ];
}

function describeSearch({ search }: MemoryFacts, style: Style): string[] {
  const [first] = search.results;
  return [
    "\nFound again by other words than its own:",
    style.bold(`  $ rookery search ${search.question}`),
    ...(first
      ? [fill(first.title, style, "  → ", "    "), style.dim(`    found by: ${first.why}`)]
      : ["  → nothing"]),
  ];
}

/** Lines of notes, turns and open ends; `--json` has the full context. */
const contentLine = /^(?:<|[0-9a-f]{4,12} \||Left open:|- )/;

function describeNextSession({ nextSession }: MemoryFacts, style: Style): string[] {
  const lines = nextSession.split("\n").filter((line) => contentLine.test(line));
  return [
    "\nThe next session here starts with it (cut; see yours: rookery context):",
    ...lines.map((line) => style.dim(`  │ ${shorten(line, style.width - 4)}`)),
  ];
}
