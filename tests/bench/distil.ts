// `npm run bench:distil`: which notes are made from the labelled sessions without a model. The matching rule is in
// tests/fixtures/sessions/README.md. `--held` uses the third that was held out; `--show` lists misses and noise.
import { distilTurn } from "../../src/domain/memory/distil/distil-turn.ts";
import { openScorer } from "../../src/store/open-scorer.ts";
import { isMachinePrompt } from "../../src/hosts/claude-code/prompts.ts";
import type { Distilled } from "../../src/domain/memory/turn-record.ts";
import { contains, type Label, type LabelledSession, readSessions, toRecord } from "./sessions.ts";

const split = process.argv.includes("--held") ? "held" : "tune";
const isShowing = process.argv.includes("--show");

const scorer = openScorer();
const sessions = readSessions().filter((session) => session.split === split);

interface Note extends Distilled {
  turn: number;
}

const totals = { notes: 0, right: 0, exact: 0, labels: 0, found: 0, steps: 0, stepsFound: 0 };
for (const session of sessions) scoreSession(session);
console.log(`${split}: ${sessions.length} sessions, ${totals.labels} labels, ${totals.notes} notes counted`);
console.log(
  `precision ${share(totals.right, totals.notes)}   recall ${share(totals.found, totals.labels)}   ` +
    `type agreement ${share(totals.exact, totals.right)}   next steps ${totals.stepsFound}/${totals.steps}`,
);

function scoreSession(session: LabelledSession): void {
  const { keep, optional = [], nextSteps = [] } = session.labels;
  let previousFinal = "";
  const distilled = session.turns.map((turn: any) => {
    const record = toRecord(turn);
    const result = distilTurn(record, { scorer, previousFinal, promptEventId: "prompt" });
    previousFinal = record.final || previousFinal;
    return result;
  });
  const turnOf = (index: number): number =>
    isMachinePrompt(session.turns[index].prompt) ? turnOf(index - 1) : index + 1;
  const notes: Note[] = distilled.flatMap(({ notes }: { notes: Distilled[] }, index: number) =>
    notes.map((note) => ({ ...note, turn: turnOf(index) })),
  );
  const satisfiedIn = new Map<Label, number>();
  for (const note of notes) {
    const matching = [...keep, ...optional].filter((label) =>
      matches(note, { ...label, turn: turnOf(label.turn - 1) }),
    );
    const fresh = matching.filter((label) => !satisfiedIn.has(label));
    // A note matches at most two labels: a note that contains everything would be a transcript.
    const taken = [
      ...fresh.filter((label) => keep.includes(label)).slice(0, 2),
      ...fresh.filter((label) => optional.includes(label)),
    ];
    for (const label of taken) satisfiedIn.set(label, note.turn);
    const isRepetition =
      matching.length > 0 &&
      taken.length === 0 &&
      matching.every((label) => satisfiedIn.get(label) !== note.turn);
    if (isRepetition) continue;
    totals.notes++;
    if (taken.length > 0) totals.right++;
    else if (isShowing) console.log(`NOISE  ${session.name} T${note.turn} ${note.type}: ${note.title}`);
    if (taken.some((label) => label.types.includes(note.type))) totals.exact++;
  }
  totals.labels += keep.length;
  for (const label of keep) {
    if (satisfiedIn.has(label)) totals.found++;
    else if (isShowing) {
      const had = notes
        .filter(({ turn }) => turn === label.turn)
        .map((note) => `${note.type}: ${note.title}`);
      console.log(
        `MISSED ${session.name} T${label.turn} [${label.types}] ${label.why} {${label.about}}\n    had: ${had.join(" | ")}`,
      );
    }
  }
  const saidOpen = distilled.map(({ summary }: any) => summary?.nextSteps ?? "").join(" ");
  totals.steps += nextSteps.length;
  totals.stepsFound += nextSteps.filter(({ about }) => contains(saidOpen, about)).length;
}

function share(part: number, whole: number): string {
  return (part / whole).toFixed(3);
}

function matches(note: Note, label: Label): boolean {
  const isWanted = (type: string): boolean => type === "decision" || type === "preference";
  const text = [
    note.title,
    note.narrative.slice(0, 1_200),
    ...note.facts,
    ...note.filesModified,
    ...note.filesRead,
  ].join(" ");
  return (
    note.turn >= label.turn &&
    label.types.some((type) => isWanted(type) === isWanted(note.type)) &&
    contains(text, label.about)
  );
}
