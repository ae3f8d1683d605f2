// `npm run bench:search -- [--commits FILE] [--held]`: search quality, by words and with vectors.
// Measured on commit messages (if that data set is beside the checkout), on our own questions about coding sessions, and
// on questions in Korean, Japanese and Chinese; each is split in two halves, tuned on one and reported on both. The held
// half of the last set is only reported with `--held`. Speed: `npm run bench -- --only search`.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parsePrompt, parseQuery } from "../../src/domain/memory/query.ts";
import { choosePromptRecall, minRecallProbability } from "../../src/domain/memory/recall.ts";
import type { MemorySearch } from "../../src/store/memory-search.ts";
import {
  type DataSet,
  openIndexed,
  type Question,
  readLines,
  readOwnQuestions,
} from "./indexed-questions.ts";

const { values: flags } = parseArgs({
  options: { commits: { type: "string" }, held: { type: "boolean", default: false } },
});
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const commits = readCommits(flags.commits ?? here("../../../shared/data/commits.jsonl"));
const own = readOwnQuestions();
for (const set of [commits, own]) if (set) reportQuality(set, ["tune", "held", "all"]);
for (const language of ["ko", "ja", "zh"])
  reportQuality(readUnspaced(language), flags.held ? ["tune", "held"] : ["tune"]);
reportPromptRecall(own);
reportHostile();

function reportQuality(set: DataSet, halves: readonly ("tune" | "held" | "all")[]): void {
  const { words, hybrid, close } = openIndexed(set.docs);
  console.log(`\n${set.name}: ${set.docs.length} documents, ${set.questions.length} questions`);
  console.log("              words alone                     words and meaning");
  console.log("half      n    R@1    R@5    R@10   MRR        R@1    R@5    R@10   MRR");
  for (const half of halves) {
    const questions = set.questions.filter((question) => half === "all" || question.half === half);
    const figures = [words, hybrid].map((search) => measure(search, questions).join("  "));
    console.log(`${half.padEnd(6)} ${String(questions.length).padStart(4)}   ${figures.join("      ")}`);
  }
  close();
}

function measure(search: MemorySearch, questions: readonly Question[]): string[] {
  const ranks = questions.map(({ text, project, gold }) => {
    const filter = project ? { projectIds: [project] } : {};
    const hits = search.search(parseQuery(text), filter, 50);
    return hits.findIndex(({ ref }) => gold.includes(ref)) + 1;
  });
  const share = (within: number): number =>
    ranks.filter((rank) => rank > 0 && rank <= within).length / ranks.length;
  const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
  return [share(1), share(5), share(10), mrr].map((figure) => figure.toFixed(3));
}

/**
 * Recall at a prompt: how often notes are shown, how often they are right, and how often they are shown for unrelated
 * prompts (from sessions of other projects). The current threshold is marked.
 */
function reportPromptRecall(set: DataSet): void {
  const { hybrid: search, close } = openIndexed(set.docs);
  const sessions = here("../fixtures/sessions/");
  const unrelated = readdirSync(sessions)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(sessions, file), "utf8")))
    .filter(({ split }) => split === "tune")
    .flatMap(({ turns }) => turns.map(({ prompt }: { prompt: string }) => prompt));
  const filter = { kinds: ["observation"] } as const;
  const ask = (text: string) => {
    const query = parsePrompt(text);
    const found = query ? search.find(query, filter, 8) : [];
    return { words: query?.words ?? [], hits: found.map((hit) => ({ ...hit, body: hit.snippet })) };
  };
  const asked = set.questions
    .filter(({ half }) => half === "tune")
    .map((question) => ({ ...question, found: ask(question.text) }));
  const others = unrelated.map(ask);
  console.log(
    "\nprompt recall: said for n % of questions, rightly (gold among what was said), said to the unrelated",
  );
  for (const probability of [0.2, 0.3, 0.4, 0.5, 0.6, minRecallProbability].toSorted((a, b) => a - b)) {
    const choose = ({ hits, words }: ReturnType<typeof ask>) =>
      choosePromptRecall(hits, words, () => false, probability);
    const said = asked.map((question) => ({ ...question, chosen: choose(question.found) }));
    const spoke = said.filter(({ chosen }) => chosen.length > 0);
    const rightly = spoke.filter(({ chosen, gold }) => chosen.some(({ ref }) => gold.includes(ref)));
    const disturbed = others.filter((found) => choose(found).length > 0);
    const percent = (part: number, whole: number): string =>
      `${Math.round((100 * part) / Math.max(1, whole))} %`.padStart(6);
    const mark = probability === minRecallProbability ? "  <" : "";
    console.log(
      `probability ≥ ${probability.toFixed(2)}  ${percent(spoke.length, asked.length)} ${percent(rightly.length, spoke.length)} ${percent(disturbed.length, others.length)}${mark}`,
    );
  }
  close();
}

/** Any text is a query. */
function reportHostile(): void {
  const { hybrid: search, close } = openIndexed([
    {
      id: "1",
      project: "p",
      session: null,
      kind: "observation",
      title: "One",
      text: "a b c",
      files: [],
      at: 1,
    },
  ]);
  const inputs = [
    "",
    '"',
    "-",
    '-"',
    "*",
    "NEAR(a b)",
    "a AND",
    "OR OR",
    "col:x",
    "(((",
    "^a",
    "{a b}: c",
    "\u0000",
    "'; DROP TABLE x; --",
    "😀",
    "-a",
    '"" ""',
    "a".repeat(100_000),
  ];
  const failures = inputs.filter((input) => {
    try {
      search.search(parseQuery(input), {}, 10);
      return false;
    } catch (error) {
      console.log(JSON.stringify(input.slice(0, 40)), (error as Error).message);
      return true;
    }
  });
  console.log(`\nhostile queries: ${inputs.length}, errors: ${failures.length}`);
  close();
}

function readCommits(path: string): DataSet | undefined {
  if (!existsSync(path)) return undefined;
  const rows = readLines(path);
  const half = (id: string): "tune" | "held" =>
    (createHash("sha1").update(id).digest()[0] ?? 0) % 2 ? "tune" : "held";
  return {
    name: "commit messages",
    docs: rows
      .filter(({ type }) => type === "doc")
      .map(({ id, corpus, text }) => ({
        id,
        project: corpus,
        session: null,
        kind: "observation",
        title: "",
        text,
        files: [],
        at: 0,
      })),
    questions: rows
      .filter(({ type }) => type === "query")
      .map(({ text, corpus, gold }) => ({ text, project: corpus, gold, half: half(gold[0]) })),
  };
}

/** Notes and prompts in a language without spaces between words, and questions about them in other words. */
function readUnspaced(language: string): DataSet {
  const read = (file: string): string[][] =>
    readFileSync(here(`../fixtures/unspaced/${file}.tsv`), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t"));
  return {
    name: `questions in ${language}`,
    docs: read(language).map(([id = "", kind, title = "", text = ""], n) => ({
      ...{ id: `${language}-${id}`, project: language, session: null, files: [], at: n },
      ...(kind === "n"
        ? { kind: "observation", title, text }
        : { kind: "prompt", title: "", text: `${title}\n${text}` }),
    })),
    questions: read(`${language}-questions`).map(([half, text = "", gold = ""]) => ({
      text,
      project: language,
      gold: [`${language}-${gold}`],
      half: half === "t" ? "tune" : "held",
    })),
  };
}
