// `npm run bench:sessions -- DIR [--people p6,p9] [--weights FILE] [--show]`: runs the distiller on a folder of real transcripts and compares it with the
// labels in tests/labels (ranges, no text). Each session is stored as by the daemon. Sessions without labels are left out. The
// rubric is in tests/labels/README.md.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  isWithin,
  type Label,
  type LabelledSession,
  readFolder,
  readLabels,
} from "../../scripts/distil/labels.ts";
import { findOrCreateProject } from "../../src/daemon/identity/project-registry.ts";
import { keepTurn } from "../../src/daemon/memory/keep-turn.ts";
import { type DistilledNotes, distilTurn } from "../../src/domain/memory/distil/distil-turn.ts";
import { makeScorer, type Scorer } from "../../src/domain/memory/distil/scorer.ts";
import { chooseStatements } from "../../src/domain/memory/model-candidates.ts";
import { splitOpenEnds } from "../../src/domain/memory/open-ends.ts";
import { isWithdrawnFact } from "../../src/domain/memory/retract.ts";
import { type SessionTurn, summariseSession } from "../../src/domain/memory/session-summary.ts";
import type { Distilled } from "../../src/domain/memory/turn-record.ts";
import type { TranscriptTurn } from "../../src/domain/transcript/turn-draft.ts";
import type { Note } from "../../src/store/notes.ts";
import { openScorer } from "../../src/store/open-scorer.ts";
import { openStore } from "../../src/store/open-store.ts";

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

const totals = {
  turns: 0,
  ms: 0,
  worstMs: 0,
  notes: 0,
  wanted: 0,
  alone: 0,
  kind: 0,
  whole: 0,
  withdrawn: 0,
  stale: 0,
};
const things = new Map<string, { all: number; found: number }>();
/** Things for which a model is offered at least one statement. */
let offeredThings = 0;
const open = { said: 0, right: 0, arguable: 0, all: 0, found: 0 };
const openLabels = readOpenLabels();
const home = mkdtempSync(join(tmpdir(), "rk-bench-sessions-"));
const store = openStore(join(home, "bench.db"), Date.now);
for (const session of sessions) measure(session, transcripts.get(session.session) ?? []);
store.close();
rmSync(home, { recursive: true });

const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `${sessions.length} labelled sessions, ${totals.turns} turns, ${(totals.ms / totals.turns).toFixed(2)} ms a turn (worst ${totals.worstMs.toFixed(1)})`,
);
console.log(
  `notes ${totals.notes}: wanted ${share(totals.wanted, totals.notes)}, best telling ${share(totals.alone, totals.notes)}, right kind ${share(totals.kind, totals.wanted)}, title not cut ${share(totals.whole, totals.notes)}`,
);
console.log(
  `withdrawn statements ${totals.withdrawn}, of them in a current note ${share(totals.stale, totals.withdrawn)}`,
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
  const offered = new Set<Label>();
  const told: SessionTurn[] = [];
  let previousFinal = "";
  // A project for each session: notes of another session would be merged with its notes.
  const project = findOrCreateProject(store, join(home, session), Date.now());
  insertSession(session, project.path);
  turns.forEach((turn, number) => {
    const context = { scorer, previousFinal, promptEventId: `${session}:${number}` };
    const startedAt = performance.now();
    const distilled: DistilledNotes = distilTurn(turn, context);
    const ms = performance.now() - startedAt;
    totals.turns += 1;
    totals.ms += ms;
    totals.worstMs = Math.max(totals.worstMs, ms);
    const own = labels.filter((label) => label.turn === number);
    for (const one of chooseStatements(scorer(turn, previousFinal)))
      for (const label of own) if (isWithin(label, one)) offered.add(label);
    const turnId = insertTurn(session, number, turn);
    store.db.transaction(() =>
      keepTurn(store, project, {
        ...distilled,
        turnId,
        sessionId: session,
        cwd: project.path,
        at: number + 1,
        prompt: turn.isMachine ? undefined : { eventId: context.promptEventId, text: turn.prompt },
        promptNumber: null,
      }),
    );
    const prompt = turn.isMachine ? "" : turn.prompt;
    const outcome = turn.outcome ?? "abandoned";
    told.push({ prompt, final: turn.final, summary: distilled.summary, notes: distilled.notes, outcome });
    previousFinal = turn.final || previousFinal;
  });
  measureOpen(session, turns, told);
  const kept = measureNotes(session, labels, turns);
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

/** Counts the current notes of a session, and returns the labels whose statements they hold. */
function measureNotes(
  session: string,
  labels: readonly Label[],
  turns: readonly TranscriptTurn[],
): Set<Label> {
  const kept = new Set<Label>();
  for (const note of store.notes.currentOfSession(session)) {
    const about = labels.filter((label) =>
      holds(note, readLabel(turns[label.turn] as TranscriptTurn, label)),
    );
    const wanted = about.filter(({ kind }) => kind !== "withdrawn");
    for (const label of about) kept.add(label);
    totals.notes += 1;
    if (wanted.length > 0) totals.wanted += 1;
    else if (values.show) console.log(`NOISE ${session.slice(0, 8)} ${note.type}: ${note.title}`);
    if (wanted.some(({ grade }) => grade === 2)) totals.alone += 1;
    if (wanted.some(({ kind }) => fits(note.type, kind))) totals.kind += 1;
    if (!note.title.endsWith("…")) totals.whole += 1;
  }
  const withdrawn = labels.filter(({ kind }) => kind === "withdrawn");
  totals.withdrawn += withdrawn.length;
  totals.stale += withdrawn.filter((label) => kept.has(label)).length;
  return kept;
}

function insertSession(id: string, path: string): void {
  const at = { createdAt: 1, startedAt: 1, lastEventAt: 1, statusAt: 1 };
  store.agents.insert({ id, name: id, project: path, projectName: "bench", seat: 1, ...at });
  store.sessions.insert({
    ...{
      id,
      agentId: id,
      host: "claude-code",
      project: path,
      cwd: path,
      transcriptPath: null,
      hostPid: null,
    },
    ...{ pidStarted: null, source: "import", model: null, title: null, branch: null, status: "ended" },
    ...{ endReason: null, ...at },
  });
}

function insertTurn(
  sessionId: string,
  number: number,
  { final, isMachine, outcome }: TranscriptTurn,
): string {
  const id = `${sessionId}-${number}`;
  store.turns.insert({
    ...{
      id,
      sessionId,
      promptId: null,
      lastAssistantMessage: final || null,
      outcome: outcome ?? "abandoned",
    },
    ...{ originKind: isMachine ? "machine" : "human", startedAt: number + 1, endedAt: number + 1 },
  });
  return id;
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
function holds({ title, narrative, facts: all }: Note, statement: string): boolean {
  const words = statement.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const facts = all.filter((fact) => !isWithdrawnFact(fact));
  const text = [title, narrative, ...facts].join(" ").toLowerCase();
  return words.length > 0 && words.filter((word) => text.includes(word)).length >= 0.75 * words.length;
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
