import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transcripts } from "../../src/hosts/claude-code/transcript/transcripts.ts";
import { readTranscript } from "../../src/daemon/transcripts/read-transcript.ts";
import { type Candidate, listCandidates } from "../../src/domain/memory/distil/candidates.ts";
import type { Features } from "../../src/domain/memory/distil/features.ts";
import { readFeatures } from "../../src/domain/memory/distil/scorer.ts";
import { contains, type Label as OwnLabel, readSessions, toRecord } from "../../tests/bench/sessions.ts";
import { openTurnAssembler } from "../../src/domain/transcript/assemble-turns.ts";
import type { TranscriptTurn } from "../../src/domain/transcript/turn-draft.ts";

/** One labelled range of a session. It contains no text: the transcripts are not part of the repository. */
export interface Label {
  turn: number;
  /** U: the prompt, A: said during the turn, F: the final message, Q: an answer, D: a refusal. */
  source: "U" | "A" | "F" | "Q" | "D";
  /** The step of an A, Q or D. */
  step: number;
  start: number;
  end: number;
  kind: string;
  /** 2: worth keeping and clear by itself. 1: worth keeping with its neighbours, or a repetition. 0: withdrawn later. */
  grade: number;
  /** Number of the label in this session that states the same thing better. */
  same?: number;
}

export interface LabelledSession {
  session: string;
  person: string;
  /** A second, independent labelling of the same session. */
  isSecond?: true;
  labels: Label[];
}

export interface Row {
  session: string;
  person: string;
  turn: number;
  candidate: Candidate;
  features: Features;
  label: Label | undefined;
  /** A reader's verdict on the note made from it. */
  verdict?: NoteLabel;
  /** Whether its title describes the note: 2 the best of its message, 1 yes, 0 no. */
  title?: number;
}

/** A reader's verdict on a note, by the statement that leads it. */
export interface NoteLabel {
  turn: number;
  source: Label["source"];
  step: number;
  start: number;
  end: number;
  verdict: "useful" | "useless" | "unclear" | "wrong" | "duplicate";
  /** The type that fits best. */
  type: string;
  /** The title describes the note. */
  hasTitle: boolean;
}

const labelsFile = new URL("../../tests/labels/sessions.jsonl", import.meta.url);

export function readLabels(): LabelledSession[] {
  return readFileSync(labelsFile, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { labels, ...session } = JSON.parse(line) as {
        labels: [number, Label["source"], number, number, number, string, number, number?][];
      };
      const rows = labels.map(
        ([turn, source, step, start, end, kind, grade, same]): Label => ({
          turn,
          source,
          step,
          start,
          end,
          kind,
          grade,
          ...(same === undefined ? {} : { same }),
        }),
      );
      return { ...(session as Omit<LabelledSession, "labels">), labels: rows };
    });
}

const notesFile = new URL("../../tests/labels/notes.jsonl", import.meta.url);

/** Verdicts on notes, by session. */
export function readNoteLabels(): Map<string, NoteLabel[]> {
  const lines = readFileSync(notesFile, "utf8").split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const { session, notes } = JSON.parse(line) as {
        session: string;
        notes: [number, Label["source"], number, number, number, NoteLabel["verdict"], string, number][];
      };
      const labels = notes.map(
        ([turn, source, step, start, end, verdict, type, hasTitle]): NoteLabel => ({
          turn,
          source,
          step,
          start,
          end,
          verdict,
          type,
          hasTitle: hasTitle === 1,
        }),
      );
      return [session, labels];
    }),
  );
}

const titlesFile = new URL("../../tests/labels/titles.jsonl", import.meta.url);

/** Verdicts on possible titles, by session and place. */
export function readTitleLabels(): Map<string, Map<string, number>> {
  const lines = readFileSync(titlesFile, "utf8").split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const { session, titles } = JSON.parse(line) as {
        session: string;
        titles: [number, string, number, number, number, number][];
      };
      return [session, new Map(titles.map(([...place]) => [place.slice(0, 5).join(" "), place[5]]))];
    }),
  );
}

/** The turns of every transcript below a folder, by session. */
export async function readFolder(folder: string): Promise<Map<string, TranscriptTurn[]>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const sessions = new Map<string, TranscriptTurn[]>();
  for (const file of files.toSorted()) {
    const assembler = openTurnAssembler();
    const turns: TranscriptTurn[] = [];
    await readTranscript(join(folder, file), {
      format: transcripts,
      onEntry(entry, byte) {
        turns.push(...assembler.push(entry, byte));
      },
    });
    turns.push(...assembler.flush());
    sessions.set(/([^/\\]+)\.jsonl$/.exec(file)?.[1] ?? file, turns);
  }
  return sessions;
}

const ownKinds: Record<string, string> = { "problem-solution": "cause", bugfix: "cause" };

/** The sessions written for the tests, as one more person. Their labels are words: the sentence with most of them is labelled. */
export function ownRows(): Row[][] {
  return readSessions()
    .filter(({ split }) => split === "tune")
    .flatMap(({ name, turns, labels }) => {
      let previousFinal = "";
      return turns.map((told, number) => {
        const turn = toRecord(told);
        const candidates = listCandidates(turn);
        const features = readFeatures(turn, previousFinal, candidates);
        previousFinal = turn.final || previousFinal;
        const here = [...labels.keep, ...(labels.nextSteps ?? [])].filter(
          (label) => label.turn === number + 1,
        );
        const meant = new Map(here.flatMap((label) => findMeant(label, candidates, labels.nextSteps ?? [])));
        return candidates.map((candidate, at): Row => {
          const label = meant.get(candidate);
          const verdict = here.length === 0 || label ? toVerdict(candidate, label) : undefined;
          return {
            session: name,
            person: "own",
            turn: number,
            candidate,
            label,
            features: features[at] as Features,
            ...(verdict ? { verdict } : {}),
          };
        });
      });
    });
}

/** A labelled statement makes a useful note; a statement of a turn without labels does not. */
function toVerdict(candidate: Candidate, label: Label | undefined): NoteLabel | undefined {
  if (candidate.role !== "final" && candidate.role !== "user") return undefined;
  const { step, start, end, text } = candidate;
  if (text.length < 25 || label?.kind === "open") return undefined;
  const place = { turn: 0, source: sources[candidate.role], step, start, end };
  return label
    ? { ...place, verdict: "useful", type: label.kind, hasTitle: true }
    : { ...place, verdict: "useless", type: "", hasTitle: false };
}

function findMeant(
  label: OwnLabel,
  candidates: readonly Candidate[],
  open: readonly OwnLabel[],
): [Candidate, Label][] {
  const count = ({ text }: Candidate): number =>
    label.about.filter((entry) => contains(text, [entry])).length;
  const most = Math.max(0, ...candidates.map(count));
  if (most < label.about.length / 2) return [];
  const type = label.types?.[0] ?? "";
  const kind = open.includes(label) ? "open" : (ownKinds[type] ?? type);
  const grade = most === label.about.length ? 2 : 1;
  return candidates
    .filter((candidate) => count(candidate) === most)
    .map((candidate) => [
      candidate,
      { turn: label.turn, source: "F", step: 0, start: 0, end: 0, kind, grade },
    ]);
}

const sources = { user: "U", say: "A", final: "F", answer: "Q", denied: "D" } as const;

/** Every sentence of a labelled session with its label, in order. */
export function labelRows(
  { session, person, labels }: LabelledSession,
  turns: readonly TranscriptTurn[],
  verdicts: readonly NoteLabel[] = [],
  titles: ReadonlyMap<string, number> = new Map(),
): Row[] {
  let previousFinal = "";
  return turns.flatMap((turn, number) => {
    const own = labels.filter((label) => label.turn === number);
    const judged = verdicts.filter((label) => label.turn === number);
    const candidates = listCandidates(turn);
    const features = readFeatures(turn, previousFinal, candidates);
    previousFinal = turn.final || previousFinal;
    return candidates.map((candidate, at): Row => {
      const [label] = own.filter((one) => isWithin(one, candidate)).toSorted((a, b) => b.grade - a.grade);
      const verdict = judged.find((one) => isLedBy(one, candidate));
      const { role, step, start, end } = candidate;
      const title = titles.get([number, sources[role], step, start, end].join(" "));
      return {
        session,
        person,
        turn: number,
        candidate,
        features: features[at] as Features,
        label,
        ...(verdict ? { verdict } : {}),
        ...(title === undefined ? {} : { title }),
      };
    });
  });
}

function isLedBy({ source, step, start, end }: NoteLabel, candidate: Candidate): boolean {
  return (
    source === sources[candidate.role] &&
    step === candidate.step &&
    start === candidate.start &&
    end === candidate.end
  );
}

export function isWithin({ source, step, start, end }: Label, candidate: Candidate): boolean {
  if (source !== sources[candidate.role]) return false;
  if (source === "Q" || source === "D") return step === candidate.step;
  return (source !== "A" || step === candidate.step) && start >= candidate.start && end <= candidate.end + 1;
}
