// `node scripts/train-distil.ts TRANSCRIPTS [--without p6,p9] [--out FILE]`: trains the distiller's weights from the labels in
// tests/labels and the transcripts they refer to. The same input gives the same bytes. See docs/distil.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { packModel, secondStage, statementKinds } from "../src/domain/memory/distil/scorer.ts";
import { labelRows, ownRows, readFolder, readLabels, type Row } from "./distil/labels.ts";
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
const left = new Set(values.without.split(",").filter(Boolean));

const transcripts = await readFolder(folder);
const sessions = readLabels().filter(({ person, isSecond }) => !isSecond && !left.has(person));
const turns: Row[][] = sessions.flatMap((session) => {
  const rows = labelRows(session, transcripts.get(session.session) ?? []);
  return [...Map.groupBy(rows, ({ turn }) => turn).values()];
});
if (!left.has("own")) turns.push(...ownRows());
const rows = turns.flat();
const people = [...new Set(rows.map(({ person }) => person))];

/** A second telling is nearly as good as the first: which of them is the best is chosen later. */
function targetOf({ label }: Row): number {
  return label?.grade === 2 ? 1 : label?.grade === 1 ? 0.7 : 0;
}

/** The kinds that readers could not tell apart are one. */
function kindOf(kind: string): string {
  return kind === "correction" ? "preference" : kind === "refactor" ? "change" : kind;
}

const toExample = (row: Row) => ({ features: row.features, target: targetOf(row) });
const worth = trainLogistic(rows.map(toExample));
const kept = rows.filter((row) => targetOf(row) > 0);
const kinds = trainSoftmax(
  kept.map(({ features, label }) => ({
    features,
    targets: statementKinds.map((kind) => Number(kindOf(label?.kind ?? "") === kind)),
  })),
  statementKinds.length,
);

// The trees learn from scores that the linear model gives to people it has not seen.
const unseen = new Map(
  people.map((person) => [person, trainLogistic(rows.filter((row) => row.person !== person).map(toExample))]),
);
const inputs: Float32Array[] = [];
const targets: number[] = [];
for (const turn of turns) {
  const linear = turn.map(({ person, features }) => dot(unseen.get(person) as Float64Array, features));
  inputs.push(
    ...secondStage(
      turn.map(({ candidate }) => candidate),
      turn.map(({ features }) => features),
      linear,
    ),
  );
  targets.push(...turn.map(targetOf));
}
const bytes = packModel({ rows: [worth, ...kinds], trees: trainTrees(inputs, targets) });
writeFileSync(values.out, bytes);
console.log(
  `${sessions.length} sessions of ${people.join(", ")}; ${rows.length} sentences, ${kept.length} worth keeping; ${bytes.length} bytes → ${values.out}`,
);
