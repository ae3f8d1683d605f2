// `node scripts/train-distil.ts TRANSCRIPTS [--without p6,p9] [--out FILE]`: trains the distiller's weights from the labels in
// tests/labels and the transcripts they refer to. The same input gives the same bytes. See docs/distil.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  blendScores,
  listCentrality,
  packModel,
  rankScores,
  addStageFeatures,
  makeSecondStageInputs,
  softmax,
  statementKinds,
} from "../src/domain/memory/distil/scorer.ts";
import type { Features } from "../src/domain/memory/distil/features.ts";
import { scoreTrees, type Trees } from "../src/domain/memory/distil/trees.ts";
import {
  labelRows,
  type NoteLabel,
  ownRows,
  readFolder,
  readLabels,
  readNoteLabels,
  readTitleLabels,
  type Row,
} from "./distil/labels.ts";
import { dot, trainLogistic, trainSoftmax } from "./distil/train-linear.ts";
import { trainTrees } from "./distil/train-trees.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: "string", default: "" },
    out: { type: "string", default: "src/store/weights/distil.bin" },
  },
});
const [folder] = positionals;
if (!folder)
  throw new Error("Usage: node scripts/train-distil.ts TRANSCRIPTS [--without p6,p9] [--out FILE]");
const excludedPeople = new Set(values.without.split(",").filter(Boolean));

const transcripts = await readFolder(folder);
const sessions = readLabels().filter(({ person, isSecond }) => !isSecond && !excludedPeople.has(person));
const verdicts = readNoteLabels();
const titles = readTitleLabels();
const turns: Row[][] = sessions.flatMap((session) => {
  const rows = labelRows(
    session,
    transcripts.get(session.session) ?? [],
    verdicts.get(session.session) ?? [],
    titles.get(session.session),
  );
  return [...Map.groupBy(rows, ({ turn }) => turn).values()];
});
if (!excludedPeople.has("own")) turns.push(...ownRows());
const rows = turns.flat();
const people = [...new Set(rows.map(({ person }) => person))];

/** Grade 1 (a repetition, or a statement that needs its neighbours) counts 0.7: `pick.ts` chooses the best one later. */
function targetOf({ label, verdict }: Row): number {
  if (verdict) return Number(isUseful(verdict));
  return label?.grade === 2 ? 1 : label?.grade === 1 ? 0.7 : 0;
}

/** A duplicate is useful too, because merging handles it. */
function isUseful({ verdict }: NoteLabel): boolean {
  return verdict === "useful" || verdict === "duplicate";
}

/** Kinds that readers could not distinguish are treated as one. */
const sameKinds: Record<string, string> = {
  correction: "preference",
  refactor: "change",
  bugfix: "cause",
  "problem-solution": "cause",
};

function kindOf({ label, verdict }: Row): string {
  const kind = verdict?.type ?? label?.kind ?? "";
  return sameKinds[kind] ?? kind;
}

const toExample = (row: Row) => ({ features: row.features, target: targetOf(row) });
const worth = trainLogistic(rows.map(toExample));
const kept = rows.filter((row) => targetOf(row) > 0);
const kinds = trainSoftmax(
  kept.map((row) => ({
    features: row.features,
    targets: statementKinds.map((kind) => Number(kindOf(row) === kind)),
  })),
  statementKinds.length,
);

// The trees are trained on the linear model's scores for people it was not trained on.
const modelsWithout = new Map(
  people.map((person) => [person, trainLogistic(rows.filter((row) => row.person !== person).map(toExample))]),
);
const linear = turns.map((turn) =>
  turn.map(({ person, features }) => dot(modelsWithout.get(person) as Float64Array, features)),
);
const inputs = turns.map((turn, n) =>
  makeSecondStageInputs(
    turn.map(({ candidate }) => candidate),
    turn.map(({ features }) => features),
    linear[n] as number[],
  ),
);
const learnTrees = (from: readonly number[]): Trees =>
  trainTrees(
    from.flatMap((n) => inputs[n] as Float32Array[]),
    from.flatMap((n) => (turns[n] as Row[]).map(targetOf)),
  );
const trees = learnTrees([...turns.keys()]);

// The third stage is trained on readers' verdicts, with tree scores for people the trees were not trained on.
const judged = makeFolds(people).flatMap((fold) => {
  const isHeldOut = (n: number): boolean => fold.has((turns[n]?.[0] as Row).person);
  const all = [...turns.keys()].filter((n) => (turns[n]?.length ?? 0) > 0);
  const foldTrees = learnTrees(all.filter((n) => !isHeldOut(n)));
  return all.filter(isHeldOut).flatMap((n) => makeThirdStageRows(n, foldTrees));
});

interface Judged {
  features: Features;
  verdict: NoteLabel | undefined;
  title: number | undefined;
}

function makeFolds(all: readonly string[]): Set<string>[] {
  return [0, 1, 2].map((fold) => new Set(all.filter((_, n) => n % 3 === fold)));
}

function makeThirdStageRows(n: number, foldTrees: Trees): Judged[] {
  const turn = turns[n] as Row[];
  const scores = turn.map((_, at) =>
    blendScores(
      (linear[n] as number[])[at] as number,
      scoreTrees(foldTrees, (inputs[n] as Float32Array[])[at] as Float32Array),
    ),
  );
  const inTurn = rankScores(scores);
  const central = listCentrality(turn.map(({ candidate }) => candidate));
  return turn.flatMap(({ candidate, features, verdict, title }, at) => {
    if (!verdict && title === undefined) return [];
    const score = scores[at] as number;
    const rank = inTurn.rankOf(score);
    const view = {
      score,
      rank,
      best: inTurn.best,
      central: central[at] as number,
      kinds: softmax(kinds.map((row) => dot(row, features))),
    };
    return [{ verdict, title, features: addStageFeatures(candidate, features, view) }];
  });
}

const verdictTraining = { epochs: 12, rate: 0.03, decay: 1e-2 };
const useful = trainLogistic(
  judged.flatMap(({ features, verdict }) =>
    verdict ? [{ features, target: Number(isUseful(verdict)) }] : [],
  ),
  verdictTraining,
);
const clear = trainLogistic(
  judged.map(({ features, verdict, title }) => ({
    features,
    target: title === undefined ? Number(verdict?.hasTitle ?? false) : Math.min(1, title),
  })),
  verdictTraining,
);
const bytes = packModel({ rows: [worth, ...kinds, useful, clear], trees });
writeFileSync(values.out, bytes);
console.log(
  `${sessions.length} sessions of ${people.join(", ")}; ${rows.length} sentences, ${kept.length} worth keeping; ${judged.length} verdicts; ${bytes.length} bytes → ${values.out}`,
);
