// `npm run bench:sessions -- DIR [--people p6,p9] [--weights FILE] [--show]`: runs the distiller on a folder of real transcripts and compares it with the
// labels in tests/labels (ranges, no text). Sessions without labels are left out. The rubric is in tests/labels/README.md.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  isWithin,
  type Label,
  type LabelledSession,
  readFolder,
  readLabels,
} from "../../scripts/distil/labels.ts";
import { type DistilledNotes, distilTurn } from "../../src/domain/memory/distil/distil-turn.ts";
import { makeScorer, type Scorer } from "../../src/domain/memory/distil/scorer.ts";
import { chooseStatements } from "../../src/domain/memory/model-candidates.ts";
import { splitOpenEnds } from "../../src/domain/memory/open-ends.ts";
import {
  isAboutRemoved,
  type Doubt,
  isRetelling,
  readDoubt,
  explainWithdrawal,
} from "../../src/domain/memory/retell.ts";
import { type SessionTurn, summariseSession } from "../../src/domain/memory/session-summary.ts";
import type { Distilled } from "../../src/domain/memory/turn-record.ts";
import type { TranscriptTurn } from "../../src/domain/transcript/turn-draft.ts";
import { openScorer } from "../../src/store/open-scorer.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: "string" },
    weights: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (!folder)
  throw new Error("Usage: npm run bench:sessions -- DIR [--people p6,p9] [--weights FILE] [--show]");
const scorer: Scorer = values.weights ? makeScorer(readFileSync(values.weights)) : openScorer();
const people = values.people?.split(",");
const transcripts = await readFolder(folder);
const sessions = readLabels().filter(
  ({ session, person, isSecond }) =>
    !isSecond && transcripts.has(session) && (!people || people.includes(person)),
);

interface Note {
  distilled: Distilled;
  turn: number;
  labels: Label[];
  isWithdrawn: boolean;
}

const totals = {
  turns: 0,
  ms: 0,
  worstMs: 0,
  notes: 0,
  wanted: 0,
  alone: 0,
  kind: 0,
  whole: 0,
  retold: 0,
  withdrawn: 0,
  stale: 0,
};
const things = new Map<string, { all: number; found: number }>();
/** Things for which a model is offered at least one statement. */
let offeredThings = 0;
const open = { said: 0, right: 0, arguable: 0, all: 0, found: 0 };
const openLabels = readOpenLabels();
for (const session of sessions) measure(session, transcripts.get(session.session) ?? []);

const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `${sessions.length} labelled sessions, ${totals.turns} turns, ${(totals.ms / totals.turns).toFixed(2)} ms a turn (worst ${totals.worstMs.toFixed(1)})`,
);
console.log(
  `notes ${totals.notes}: wanted ${share(totals.wanted, totals.notes)}, best telling ${share(totals.alone, totals.notes)}, right kind ${share(totals.kind, totals.wanted)}, title not cut ${share(totals.whole, totals.notes)}`,
);
console.log(
  `second tellings merged ${totals.retold}; withdrawn ${totals.withdrawn}, of them still current ${totals.stale}`,
);
const all = [...things.values()].reduce(
  (sum, { all, found }) => ({ all: sum.all + all, found: sum.found + found }),
  { all: 0, found: 0 },
);
console.log(
  `things to remember ${all.all}: kept ${share(all.found, all.all)}   ${[...things].map(([kind, { all, found }]) => `${kind} ${share(found, all)} of ${all}`).join(", ")}`,
);
console.log(`offered to a model, where one is set up: ${share(offeredThings, all.all)} of these`);
console.log(
  `open ends: said ${open.said}, right ${share(open.right, open.said)}, arguable ${share(open.arguable, open.said)}, found ${share(open.found, open.all)} of ${open.all}`,
);

function measure({ session, labels }: LabelledSession, turns: readonly TranscriptTurn[]): void {
  const notes: Note[] = [];
  const kept = new Set<Label>();
  const offered = new Set<Label>();
  const told: SessionTurn[] = [];
  let previousFinal = "";
  turns.forEach((turn, number) => {
    const own = labels.filter((label) => label.turn === number);
    const context = { scorer, previousFinal, promptEventId: "prompt" };
    const startedAt = performance.now();
    const { notes: distilled, removed, summary }: DistilledNotes = distilTurn(turn, context);
    const ms = performance.now() - startedAt;
    totals.turns += 1;
    totals.ms += ms;
    totals.worstMs = Math.max(totals.worstMs, ms);
    const scored = scorer(turn, previousFinal);
    for (const one of chooseStatements(scored))
      for (const label of own) if (isWithin(label, one)) offered.add(label);
    for (const one of distilled) {
      const about = own.filter((label) => holds(one, readLabel(turn, label)));
      for (const label of about) kept.add(label);
      keep(
        notes,
        {
          distilled: one,
          turn: number,
          labels: about.filter(({ kind }) => kind !== "withdrawn"),
          isWithdrawn: about.some(({ kind }) => kind === "withdrawn"),
        },
        turn.isMachine ? "none" : readDoubt(turn.prompt),
      );
    }
    if (distilled.length > 0)
      for (const note of notes.filter((one) => one.turn !== number && isAboutRemoved(one.distilled, removed)))
        notes.splice(notes.indexOf(note), 1);
    const prompt = turn.isMachine ? "" : turn.prompt;
    const outcome = turn.outcome ?? "abandoned";
    told.push({ prompt, final: turn.final, summary, notes: distilled, outcome });
    previousFinal = turn.final || previousFinal;
  });
  measureOpen(session, turns, told);
  for (const { distilled, labels: about, turn, isWithdrawn } of notes) {
    totals.notes += 1;
    if (about.length > 0) totals.wanted += 1;
    else if (values.show)
      console.log(`NOISE ${session.slice(0, 8)} ${turn} ${distilled.type}: ${distilled.title}`);
    if (about.some(({ grade }) => grade === 2)) totals.alone += 1;
    if (about.some(({ kind }) => fits(distilled.type, kind))) totals.kind += 1;
    if (!distilled.title.endsWith("…")) totals.whole += 1;
    if (isWithdrawn) totals.stale += 1;
  }
  labels.forEach((label, number) => {
    if (label.kind === "withdrawn" || label.kind === "open" || label.same !== undefined) return;
    const family = [label, ...labels.filter(({ same }) => same === number)];
    const thing = things.get(label.kind) ?? { all: 0, found: 0 };
    thing.all += 1;
    if (family.some((one) => kept.has(one))) thing.found += 1;
    if (family.some((one) => offered.has(one))) offeredThings += 1;
    things.set(label.kind, thing);
  });
}

/** The labelled text. */
function readLabel(turn: TranscriptTurn, { source, step, start, end }: Label): string {
  if (source === "U") return turn.prompt.slice(start, end);
  if (source === "F") return turn.final.slice(start, end);
  const told = turn.steps[step];
  if (told?.kind === "say") return told.text.slice(start, end);
  return told?.kind === "answer" ? told.answer : told?.kind === "denied" ? told.reason : "";
}

/** Whether a note holds a statement: it has three quarters of its words. */
function holds({ title, narrative, facts }: Distilled, statement: string): boolean {
  const words = statement.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const text = [title, narrative, ...facts].join(" ").toLowerCase();
  return words.length > 0 && words.filter((word) => text.includes(word)).length >= 0.75 * words.length;
}

/** As in the store: a repeated statement is merged, a withdrawn note no longer counts. */
function keep(notes: Note[], note: Note, doubt: Doubt): void {
  if (note.isWithdrawn) totals.withdrawn += 1;
  const told = notes.find(({ distilled }) => isRetelling(note.distilled, distilled));
  if (told) {
    totals.retold += 1;
    told.labels.push(...note.labels);
    return;
  }
  const lastTurn = notes.findLast(({ turn }) => turn !== note.turn)?.turn;
  for (const other of notes.filter(({ turn }) => turn !== note.turn))
    if (
      explainWithdrawal(note.distilled, other.distilled, other.turn === lastTurn ? doubt : "none") !==
      undefined
    )
      notes.splice(notes.indexOf(other), 1);
  notes.push(note);
}

interface OpenLabels {
  /** The things left open, each by the statements that name it. */
  open: Label[][];
  /** Statements that some readers would count. */
  maybe: Label[];
}

function readOpenLabels(): Map<string, OpenLabels> {
  const file = new URL("../labels/open-ends.jsonl", import.meta.url);
  type Range = [turn: number, source: "U" | "F", start: number, end: number];
  const toLabel = ([turn, source, start, end]: Range): Label => ({
    turn,
    source,
    start,
    end,
    step: 0,
    kind: "open",
    grade: 2,
  });
  return new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const labels = JSON.parse(line) as { session: string; open: Range[][]; maybe: Range[] };
        const groups = labels.open.map((group) => group.map(toLabel));
        return [labels.session, { open: groups, maybe: labels.maybe.map(toLabel) }];
      }),
  );
}

/** Compares the open ends of the session's summary with the labels, without later sessions. */
function measureOpen(session: string, turns: readonly TranscriptTurn[], told: readonly SessionTurn[]): void {
  const labels = openLabels.get(session);
  if (!labels) return;
  const summary = summariseSession({ title: null, turns: told, later: [] });
  const textOf = (label: Label): string => {
    const turn = turns[label.turn] as TranscriptTurn;
    return label.end > 0 ? readLabel(turn, label) : turn.prompt.slice(0, 600);
  };
  const found = new Set<Label[]>();
  for (const text of splitOpenEnds(summary?.nextSteps ?? "")) {
    const isAbout = (label: Label): boolean => isSame(text, textOf(label));
    const group = labels.open.find((labelled) => labelled.some(isAbout));
    open.said += 1;
    if (group) open.right += 1;
    else if (labels.maybe.some(isAbout)) open.arguable += 1;
    else if (values.show) console.log(`NOT OPEN ${session.slice(0, 8)} ${text}`);
    if (group) found.add(group);
  }
  open.all += labels.open.length;
  open.found += found.size;
}

/** Whether one of two texts has most of the words of the other. */
function isSame(a: string, b: string): boolean {
  const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common >= 0.6 * Math.min(left.size, right.size);
}

/** Types that a careful reader would accept for a kind of statement. */
function fits(type: Distilled["type"], kind: string): boolean {
  const accepted: Record<string, readonly string[]> = {
    decision: ["decision", "preference", "change", "feature"],
    preference: ["preference", "decision"],
    correction: ["preference", "decision", "problem-solution", "gotcha", "discovery"],
    cause: ["problem-solution", "bugfix", "gotcha", "discovery"],
    discovery: ["discovery", "gotcha", "problem-solution"],
    gotcha: ["gotcha", "discovery", "problem-solution"],
    feature: ["feature", "change", "refactor"],
    refactor: ["refactor", "change", "feature"],
    change: ["change", "feature", "refactor", "bugfix", "decision"],
    open: ["discovery", "gotcha", "problem-solution"],
  };
  return accepted[kind]?.includes(type) ?? false;
}
