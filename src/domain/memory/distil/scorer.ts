import type { TurnRecord } from "../turn-record.ts";
import { type Candidate, listCandidates, readFacts, wordsOf } from "./candidates.ts";
import { denseSize, type Features, featureSize, makeFeatures, readingSize } from "./features.ts";
import { maskedWords } from "./masked-words.ts";
import { makeTitle } from "./title.ts";
import { packTrees, readTrees, scoreTrees, type Trees } from "./trees.ts";

/** The kinds of statements that the scorer distinguishes. */
export const statementKinds = [
  "decision",
  "preference",
  "cause",
  "discovery",
  "gotcha",
  "feature",
  "change",
  "open",
] as const;
type StatementKind = (typeof statementKinds)[number];

export interface Scored extends Candidate {
  /** Probability that a later session would want it. */
  worth: number;
  kind: StatementKind;
  /** Probability of each kind, in the order of `statementKinds`. */
  kinds: readonly number[];
  /** Probability that a reader finds a note with this main statement useful. */
  useful: number;
  /** Probability that its title alone says what the note is about. */
  clear: number;
}

/** Scores the sentences of a turn. Trained by scripts/train-distil.ts; deterministic, no I/O. */
export type Scorer = (turn: TurnRecord, previousFinal: string) => Scored[];

/**
 * Three stages. A linear model scores each sentence on its own (first row of weights; one more row for each kind).
 * Boosted trees then score its cues together with the linear scores around it, because only the best sentence of a
 * message counts, not every good one. The last two rows score the sentence again with these results; they were trained
 * on ratings of whole notes.
 */
interface ScorerModel {
  rows: readonly Float64Array[];
  trees: Trees;
}

const outputs = 3 + statementKinds.length;
const headerBytes = 8 + 4 * outputs;
const magic = 0x52_4b_44_33; // "RKD3"

export function packModel({ rows, trees }: ScorerModel): Uint8Array {
  const tail = packTrees(trees);
  const bytes = new Uint8Array(headerBytes + outputs * featureSize + tail.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic);
  view.setUint32(4, featureSize);
  for (const [n, row] of rows.entries()) {
    const scale = row.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1e-9) / 127;
    view.setFloat32(8 + 4 * n, scale);
    for (let at = 0; at < featureSize; at++)
      view.setInt8(headerBytes + n * featureSize + at, Math.round((row[at] as number) / scale));
  }
  bytes.set(tail, headerBytes + outputs * featureSize);
  return bytes;
}

export function makeScorer(bytes: Uint8Array): Scorer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== magic || view.getUint32(4) !== featureSize)
    throw new Error("The distiller's weights do not match this version.");
  const scales = Array.from({ length: outputs }, (_, n) => view.getFloat32(8 + 4 * n));
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, outputs * featureSize);
  const trees = readTrees(bytes.subarray(headerBytes + outputs * featureSize));

  const sum = ({ places, values }: Features, output: number): number => {
    let total = 0;
    const from = output * featureSize;
    for (let n = 0; n < places.length; n++)
      total += (weights[from + (places[n] as number)] as number) * (values[n] as number);
    return total * (scales[output] as number);
  };

  return (turn, previousFinal) => {
    const candidates = listCandidates(turn);
    const features = readFeatures(turn, previousFinal, candidates);
    const linear = features.map((one) => sum(one, 0));
    // Four in five sentences score far too low to be kept, and the second stage would not change that.
    const isHopeful = (at: number): boolean => !((linear[at] as number) < hopeless);
    const inputs = makeSecondStageInputs(candidates, features, linear, isHopeful);
    const scores = linear.map((first, at) =>
      isHopeful(at) ? blendScores(first, scoreTrees(trees, inputs[at] as Float32Array)) : hopeless,
    );
    const inTurn = rankScores(scores);
    const central = listCentrality(candidates, isHopeful);
    return candidates.map((candidate, at) => {
      const score = scores[at] as number;
      if (score <= hopeless)
        return { ...candidate, worth: 0, kinds: [], kind: "discovery", useful: 0, clear: 0 };
      const own = features[at] as Features;
      const kinds = softmax(statementKinds.map((_, n) => sum(own, 1 + n)));
      const again = addStageFeatures(candidate, own, {
        score,
        kinds,
        rank: inTurn.rankOf(score),
        best: inTurn.best,
        central: central[at] as number,
      });
      const [useful, clear] = [outputs - 2, outputs - 1].map((output) => logistic(sum(again, output)));
      return {
        ...candidate,
        worth: logistic(score),
        kinds,
        kind: pickKind(candidate, kinds),
        useful: useful as number,
        clear: clear as number,
      };
    });
  };
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

export function blendScores(linear: number, trees: number): number {
  return linearShare * linear + (1 - linearShare) * trees;
}

/** The results of the earlier stages for a statement. */
interface Reading {
  score: number;
  kinds: readonly number[];
  /** Rank of its score in its turn, and the best score of the turn. */
  rank: number;
  best: number;
  /** Share of its words that the rest of the message repeats. */
  central: number;
}

const anyPlace = (): boolean => true;

/**
 * For each statement, the mean share of the other statements in its message that repeat one of its words; messages
 * without a wanted statement are skipped.
 */
export function listCentrality(
  candidates: readonly Candidate[],
  isWanted: (at: number) => boolean = anyPlace,
): number[] {
  const central = candidates.map(() => 0);
  for (const places of groupByMessage(candidates)) {
    if (!places.some(isWanted)) continue;
    const words = places.map((at) => new Set(wordsOf((candidates[at] as Candidate).text).filter(isLong)));
    const counts = new Map<string, number>();
    for (const set of words) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [n, at] of places.entries()) {
      const own = [...(words[n] as Set<string>)];
      const repeats = own.reduce((sum, word) => sum + (counts.get(word) as number) - 1, 0);
      central[at] = repeats / Math.max(1, own.length) / Math.max(1, places.length - 1);
    }
  }
  return central;
}

function isLong(word: string): boolean {
  return word.length > 3;
}

function groupByMessage(candidates: readonly Candidate[]): number[][] {
  const messages = Map.groupBy(candidates.keys(), (at) => {
    const { role, step } = candidates[at] as Candidate;
    return `${role} ${step}`;
  });
  return [...messages.values()];
}

/** The features of a statement, with the results of the earlier stages and properties of its title. */
export function addStageFeatures(
  candidate: Candidate,
  { places, values }: Features,
  { score, kinds, rank, best, central }: Reading,
): Features {
  const title = makeTitle(candidate);
  const added = [
    score / 3,
    Math.min(1, rank / 10),
    Number(rank === 0),
    best / 3,
    3 * central,
    title.length / 100,
    Number(title.endsWith("…")),
    Number(/^[`\d]/.test(title)),
    Number(
      /^(?:\p{Lu}|`)/u.test(title) &&
        /\b(?:is|are|was|were|has|now|must|should|does|can|will)\b/i.test(title),
    ),
    ...kinds,
  ];
  return {
    places: [...places, ...added.map((_, n) => denseSize - readingSize + n)],
    values: [...values, ...added],
  };
}

/** A sentence with a linear score below this never becomes a note. */
const hopeless = -3.5;
/** Weight of the first stage; the second has the rest. */
const linearShare = 0.4;

export function readFeatures(
  turn: TurnRecord,
  previousFinal: string,
  candidates: readonly Candidate[],
): Features[] {
  const facts = readFacts(turn, previousFinal);
  const readWords = makeWordCache();
  return candidates.map((candidate, at) => {
    const beside = (other: Candidate | undefined): string =>
      other && isSameMessage(other, candidate) ? other.text : "";
    return makeFeatures(candidate, facts, readWords, beside(candidates[at - 1]), beside(candidates[at + 1]));
  });
}

/** Caches the words of texts: each text is read three times, once on its own and twice as a neighbour. */
function makeWordCache(): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    const words = known.get(text) ?? maskedWords(text);
    known.set(text, words);
    return words;
  };
}

function isSameMessage(a: Candidate, b: Candidate): boolean {
  return a.role === b.role && a.step === b.step;
}

const secondStageSize = denseSize + 12;
const none = -6;

/** For each wanted sentence: its cues, and the linear scores of its neighbours, its message and its turn. */
export function makeSecondStageInputs(
  candidates: readonly Candidate[],
  features: readonly Features[],
  linear: readonly number[],
  isWanted: (at: number) => boolean = anyPlace,
): Float32Array[] {
  const inTurn = rankScores(linear);
  const inputs: Float32Array[] = [];
  for (const places of groupByMessage(candidates)) {
    const scores = places.map((at) => linear[at] as number);
    const inMessage = rankScores(scores);
    const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
    for (const [n, at] of places.entries()) {
      if (!isWanted(at)) continue;
      const near = (step: number): number => scores[n + step] ?? none;
      const own = scores[n] as number;
      const input = new Float32Array(secondStageSize);
      const { places: cues, values } = features[at] as Features;
      for (let k = 0; k < cues.length; k++)
        if ((cues[k] as number) < denseSize) input[cues[k] as number] = values[k] as number;
      const around = [
        own,
        near(-1),
        near(1),
        Math.max(near(-1), near(-2)),
        Math.max(near(1), near(2)),
        inMessage.best,
        inMessage.rankOf(own),
        mean,
        scores.length,
        inTurn.rankOf(own),
        inTurn.best,
        linear.length,
      ];
      input.set(around, denseSize);
      inputs[at] = input;
    }
  }
  return inputs;
}

export function rankScores(scores: readonly number[]): { best: number; rankOf(score: number): number } {
  const sorted = scores.toSorted((a, b) => b - a);
  const ranks = new Map<number, number>();
  for (const [rank, score] of sorted.entries()) if (!ranks.has(score)) ranks.set(score, rank);
  return { best: sorted[0] ?? none, rankOf: (score) => ranks.get(score) ?? sorted.length };
}

/** Classifies the user's own words as a decision or a preference, and an answer always as a decision. */
function pickKind({ role }: Candidate, kinds: readonly number[]): StatementKind {
  if (role === "answer") return "decision";
  const allowed = role === "user" || role === "denied" ? 2 : statementKinds.length;
  let best = 0;
  for (let n = 1; n < allowed; n++) if ((kinds[n] as number) > (kinds[best] as number)) best = n;
  return statementKinds[best] as StatementKind;
}

export function softmax(values: readonly number[]): number[] {
  const max = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - max));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}
