// `node scripts/train-rank.ts SESSIONS [--out FILE]`: trains the weights of search for questions in other words, and of
// prompt recall, from the questions in tests/labels, the sessions they refer to (a Claude Code folder) and the tuning
// half of tests/fixtures/questions. The people on whom choices are made, and the held-out one, are left out. The same
// input gives the same weights. See docs/vectors.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseQuery } from "../src/domain/memory/query.ts";
import { rankWeights, recallWeights } from "../src/domain/memory/rank-weights.ts";
import { type Candidate, listFeatures, rankFeatures } from "../src/domain/memory/rank.ts";
import { listRecallable, listRecallFeatures, recallFeatures } from "../src/domain/memory/recall.ts";
import { openIndexed, readOwnQuestions } from "../tests/bench/indexed-questions.ts";
import {
  choosingPeople,
  heldPerson,
  openLabelledSessions,
  personOf,
  readQuestions,
} from "../tests/bench/labelled-questions.ts";
import { dot, type Example, type List, rankOf, trainLists, trainLogistic } from "./rank/train.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "src/domain/memory/rank-weights.ts" } },
});
const [folder] = positionals;
if (!folder) throw new Error("Usage: node scripts/train-rank.ts SESSIONS [--out FILE]");

/** Our own questions are easier and more uniform than those about real sessions. */
const ownWeight = 0.5;
/** Share of the unrelated prompts that may get a note. */
const maxUnrelated = 0.048;
const maxShown = 3;
/** More than there are candidates. */
const maxHits = 1_000;

const isTrained = (person: string): boolean => person !== heldPerson && !choosingPeople.includes(person);
const sessions = await openLabelledSessions(folder);
const labelled = readQuestions().filter(({ project }) => personOf(project) !== heldPerson);

const lists = readLists();
reportRanking(lists);
Object.assign(rankWeights, scaleWeights(trainLists(lists.filter(({ group }) => isTrained(group)))));
const examples = readExamples();
reportRecall(examples);
const trained = examples.filter(({ group }) => isTrained(group));
const recall = trainLogistic(trained);
Object.assign(
  recallWeights,
  Object.fromEntries(recallFeatures.map((name, n) => [name, round(recall[n] as number)])),
);
const threshold = findThreshold(trained, (example) => predict(recall, example));
writeFileSync(flags.out, formatWeights());
console.log(`${flags.out}; a note is shown from a probability of ${threshold.toFixed(3)}`);
sessions.close();

function readLists(): List[] {
  const { search, projectIdsOf, labelOf, isFrom } = sessions;
  const aboutSessions = labelled
    .filter(({ isTask }) => !isTask)
    .map(({ project, text, turns }): List => {
      const hits = search.search(parseQuery(text), { projectIds: projectIdsOf(project) }, maxHits);
      return {
        group: personOf(project),
        weight: 1,
        candidates: describe(hits).map(({ hit, features }) => ({
          features,
          unit: labelOf(hit.turnId) || hit.ref,
          isRight: isFrom(hit, turns),
        })),
      };
    });
  const own = readOwnQuestions();
  const { hybrid, close } = openIndexed(own.docs);
  const aboutNotes = own.questions
    .filter(({ half }) => half === "tune")
    .map(
      ({ text, gold }): List => ({
        group: "own",
        weight: ownWeight,
        candidates: describe(hybrid.search(parseQuery(text), {}, maxHits)).map(({ hit, features }) => ({
          features,
          unit: hit.ref,
          isRight: gold.includes(hit.ref),
        })),
      }),
    );
  close();
  return [...aboutSessions, ...aboutNotes];
}

/** Brief documents are ranked by a factor of their own. */
function describe<T extends Candidate>(hits: readonly T[]): { hit: T; features: number[] }[] {
  const maxWords = hits.reduce((most, { wordScore }) => Math.max(most, wordScore), 0);
  const totalRows = hits.reduce((most, { row }) => Math.max(most, row), 0);
  return hits
    .filter(({ isBrief, match }) => !isBrief && match)
    .map((hit) => {
      const features = listFeatures(hit, { totalRows, maxWords });
      return { hit, features: rankFeatures.map((name) => features[name]) };
    });
}

/** Each person by a model that was trained on the others. */
function reportRanking(all: readonly List[]): void {
  const people = [...new Set(all.map(({ group }) => group))].filter((group) => group !== "own");
  const places = people.map((person) => {
    const weights = trainLists(
      all.filter(({ group }) => group !== person && (isTrained(group) || group === "own")),
    );
    return all
      .filter(({ group }) => group === person)
      .map((list) => rankOf(list, (features) => dot(features, weights)));
  });
  const share = (found: readonly number[], within: number): string =>
    ((100 * found.filter((place) => place <= within).length) / found.length).toFixed(1);
  const report = (name: string, found: readonly number[]): void =>
    console.log(
      `${name}: ${found.length} questions, first ${share(found, 1)}, in 3 ${share(found, 3)}, in 5 ${share(found, 5)}, in 10 ${share(found, 10)}`,
    );
  people.forEach((person, n) => {
    if (!isTrained(person)) report(person, places[n] ?? []);
  });
  report(
    "trained people, each without its own questions",
    places.flatMap((found, n) => (isTrained(people[n] ?? "") ? found : [])),
  );
}

/** An average candidate gets the score 0, the best one of an average question 0.7. */
function scaleWeights(weights: readonly number[]): Record<string, number> {
  const scores = lists
    .filter(({ group }) => isTrained(group))
    .map(({ candidates }) => candidates.map(({ features }) => dot(features, weights)));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const usual = mean(scores.flat());
  const best = mean(scores.map((ofQuestion) => Math.max(...ofQuestion)));
  const scale = 0.7 / (best - usual);
  return Object.fromEntries(
    rankFeatures.map((name, n) => [
      name,
      round(name === "constant" ? -usual * scale : (weights[n] as number) * scale),
    ]),
  );
}

interface RecallExample extends Example {
  kind: "question" | "task" | "unrelated";
}

function readExamples(): RecallExample[] {
  const { searchPrompt, isFrom, listUnrelated } = sessions;
  const read = (text: string, root: string, turns: readonly string[]) => {
    const searched = searchPrompt(text, root);
    const shown = searched ? listRecallable(searched.found) : [];
    if (!searched || shown.length === 0) return undefined;
    const features = listRecallFeatures(shown, searched.query.words);
    const isRight = shown.slice(0, maxShown).some((one) => isFrom(one, turns));
    return {
      features: recallFeatures.map((name) => features[name]),
      target: isRight ? 1 : 0,
      weight: 1,
    } as const;
  };
  const asked = labelled.flatMap(({ project, text, turns, isTask }): RecallExample[] => {
    const one = read(text, project, turns);
    return one ? [{ ...one, group: personOf(project), kind: isTask ? "task" : "question" }] : [];
  });
  const unrelated = listUnrelated((person) => person !== heldPerson)
    .filter(({ by }) => by !== heldPerson)
    .map(({ text, root, by }): RecallExample => {
      const one = read(text, root, []);
      return { ...(one ?? { features: [], target: 0, weight: 0 }), group: by, kind: "unrelated" };
    });
  return [...asked, ...unrelated].filter(({ features }) => features.length > 0);
}

function predict(weights: readonly number[], { features }: Example): number {
  return 1 / (1 + Math.exp(-dot(features, weights)));
}

/** The probability that few enough unrelated prompts reach. */
function findThreshold(
  all: readonly RecallExample[],
  probabilityOf: (example: RecallExample) => number,
): number {
  const people = new Set(all.map(({ group }) => group));
  const prompts = sessions
    .listUnrelated((person) => person !== heldPerson)
    .filter(({ by }) => people.has(by)).length;
  const highest = all
    .filter(({ kind }) => kind === "unrelated")
    .map(probabilityOf)
    .toSorted((a, b) => b - a);
  return highest[Math.floor(maxUnrelated * prompts)] ?? 0.5;
}

function reportRecall(all: readonly RecallExample[]): void {
  const people = [...new Set(all.map(({ group }) => group))];
  const probabilities = new Map(
    people.flatMap((person) => {
      const weights = trainLogistic(all.filter(({ group }) => group !== person && isTrained(group)));
      return all
        .filter(({ group }) => group === person)
        .map((example) => [example, predict(weights, example)] as const);
    }),
  );
  const probabilityOf = (example: RecallExample): number => probabilities.get(example) ?? 0;
  const limit = findThreshold(all, probabilityOf);
  for (const isChosen of [false, true]) {
    const questions = labelled.filter(
      ({ project, isTask }) => !isTask && isTrained(personOf(project)) !== isChosen,
    );
    const spoke = all.filter(
      (example) =>
        example.kind === "question" &&
        isTrained(example.group) !== isChosen &&
        probabilityOf(example) > limit,
    );
    const right = spoke.filter(({ target }) => target === 1).length;
    const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1);
    console.log(
      `recall, ${isChosen ? "choosing" : "trained"} people, each without its own prompts: answers ${percent(right, questions.length)}, right ${percent(right, spoke.length)}, at ${limit.toFixed(3)}`,
    );
  }
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

function formatWeights(): string {
  const format = (name: string, type: string, weights: Record<string, number>): string =>
    `export const ${name}: ${type} = {\n${Object.entries(weights)
      .map(([feature, weight]) => `  ${feature}: ${weight},\n`)
      .join("")}};\n`;
  return `import type { RankFeatures } from "./rank.ts";
import type { RecallFeatures } from "./recall.ts";

/** Made by \`node scripts/train-rank.ts\`; see docs/vectors.md. */
${format("rankWeights", "RankFeatures", rankWeights)}
${format("recallWeights", "RecallFeatures", recallWeights)}`;
}
