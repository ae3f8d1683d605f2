import type { TurnRecord } from "../turn-record.ts";
import { maskedWords } from "./masked-words.ts";
import { readSentences, type Sentence } from "./sentences.ts";

/** Who said a sentence, and when in the turn. */
export type Role = "user" | "say" | "final" | "answer" | "denied";

/** A sentence of a turn that might be worth remembering. */
export interface Candidate extends Sentence {
  role: Role;
  /** The step that a "say" belongs to; 0 for the prompt and the final message. */
  step: number;
  /** Position among the sentences of its message, and the number of sentences. */
  index: number;
  count: number;
  /** Length of the whole message in characters. */
  messageLength: number;
  /** Whether the turn ends with a message that reports its result. */
  hasConclusion: boolean;
}

/** Maximum number of sentences read per message. Later ones are pasted text, not the author's own words. */
const maxSentences = { user: 60, say: 40, final: 150 };

/**
 * Longer messages and sentences are pasted data. They are truncated before any pattern runs, because an endless word
 * would make it slow.
 */
const maxMessage = 40_000;
const maxSentence = 800;

function shorten(sentence: Sentence): Sentence {
  return sentence.text.length <= maxSentence
    ? sentence
    : { ...sentence, text: sentence.text.slice(0, maxSentence) };
}

/** A bullet with this many characters is not joined with its further sentences. */
const maxBullet = 240;

/** A final message with at least this many characters reports the result of the turn. */
const minConclusion = 200;

export function listCandidates(turn: TurnRecord): Candidate[] {
  const hasConclusion = turn.outcome === "completed" && turn.final.length >= minConclusion;
  return listAll(turn).map((candidate) => ({ ...candidate, hasConclusion }));
}

type ListedStatement = Omit<Candidate, "hasConclusion">;

function listAll(turn: TurnRecord): ListedStatement[] {
  const said = turn.steps.flatMap((step, place): ListedStatement[] => {
    if (step.kind === "say") return read(step.text, "say", place);
    if (step.kind === "answer")
      return [makeWholeStatement(`${step.question} → ${step.answer}`, "answer", place)];
    return step.kind === "denied" && step.reason.trim()
      ? [makeWholeStatement(step.reason, "denied", place)]
      : [];
  });
  return [...(turn.isMachine ? [] : read(turn.prompt, "user", 0)), ...said, ...read(turn.final, "final", 0)];
}

/** Makes one statement of an answer or a refusal, regardless of its length. */
function makeWholeStatement(text: string, role: Role, step: number): ListedStatement {
  const flat = text.slice(0, maxSentence).replace(/\s+/g, " ").trim();
  return {
    text: flat,
    line: 0,
    start: 0,
    end: 0,
    place: "paragraph",
    heading: "",
    lead: "",
    code: "",
    role,
    step,
    index: 0,
    count: 1,
    messageLength: flat.length,
  };
}

function read(text: string, role: "user" | "say" | "final", step: number): ListedStatement[] {
  const all = joinBullets(readSentences(text.slice(0, maxMessage))).map(shorten);
  return all.slice(0, maxSentences[role]).map((sentence, index) => ({
    ...sentence,
    role,
    step,
    index,
    count: all.length,
    messageLength: text.length,
  }));
}

/** Joins the sentences of a bullet: the first usually names the subject of the rest. */
function joinBullets(sentences: readonly Sentence[]): Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const isSameBullet =
      last?.place === "bullet" &&
      sentence.place === "bullet" &&
      last.line === sentence.line &&
      last.text.length < maxBullet;
    if (last && isSameBullet)
      joined[joined.length - 1] = {
        ...last,
        text: `${last.text} ${sentence.text}`,
        end: sentence.end,
        code: sentence.code,
      };
    else joined.push(sentence);
  }
  return joined;
}

/** Facts of a turn that several features compare a sentence with. */
export interface TurnFacts {
  edits: number;
  tools: number;
  failures: number;
  /** Lower-case base names of edited files, without suffix. */
  files: ReadonlySet<string>;
  /** Words of failed tools' output. */
  failureWords: ReadonlySet<string>;
  promptWords: ReadonlySet<string>;
  promptLength: number;
  promptIsQuestion: boolean;
  /** The first words of the prompt, masked like those of a sentence. */
  promptTokens: readonly string[];
  promptTrouble: boolean;
  promptMakes: boolean;
  promptDesigns: boolean;
  turnFixes: boolean;
  /** Whether the prompt is mostly a pasted plan, log or review. */
  isPasted: boolean;
  /** Whether the turn was interrupted or failed, so that there may be no conclusion. */
  isCut: boolean;
  finalLength: number;
  finalWords: ReadonlySet<string>;
  previousAsked: boolean;
}

const pastedPrompt =
  /^\s*(?:implement the following plan|here(?:'s| is) (?:the|a|my) (?:plan|spec|log|output|review|error)|\/[\w:-]+\b|<[a-z-]+>|this session is being continued|base directory for this skill|you are )/i;

/** A long prompt with headings, many bullets or log lines was written elsewhere. */
export function isPasted(prompt: string): boolean {
  if (pastedPrompt.test(prompt)) return true;
  if (prompt.length < 800) return false;
  const lines = prompt.split("\n");
  const marked = lines.filter((line) =>
    /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||```|>|\d{4}-\d\d|at |\+|-{3})/.test(line),
  ).length;
  return prompt.length > 2_500 || marked > lines.length * 0.3;
}

const trouble =
  /\b(?:fix|bug|crash|fail(?:s|ed|ing|ure)?|errors?|broken|wrong|not work|doesn'?t|isn'?t|can'?t|hangs?|slow|flaky|stuck|issue|problem|why)\b|エラー|失敗|버그|오류|错误|fehler|falla/i;
const makes =
  /\b(?:add|implement|create|build|support|introduce|set up|write|feature|new|plan)\b|追加|実装|추가|添加|hinzu|añad/i;
const designs =
  /\b(?:should we|what (?:if|about|would)|option|approach|design|alternative|instead|better|consider|think|idea|could we|how (?:about|would|should))\b/i;
const fixes = /\b(?:fix(?:ed|es)?|root cause|bug|the (?:issue|problem) (?:was|is)|regression)\b/i;

export function readFacts(turn: TurnRecord, previousFinal = ""): TurnFacts {
  let [edits, tools, failures] = [0, 0, 0];
  const files = new Set<string>();
  const failureWords = new Set<string>();
  for (const step of turn.steps) {
    if (step.kind !== "tool") continue;
    tools += 1;
    if (step.file && step.toolKind === "edit") {
      edits += 1;
      files.add(baseName(step.file));
    }
    if (!step.failed) continue;
    failures += 1;
    for (const word of wordsOf(step.output.slice(0, 2_000))) failureWords.add(word);
  }
  return {
    edits,
    tools,
    failures,
    files,
    failureWords,
    promptWords: new Set(wordsOf(turn.prompt.slice(0, 4_000))),
    promptLength: turn.prompt.length,
    promptTokens: [...new Set(maskedWords(turn.prompt.slice(0, 1_000)))].slice(0, 24),
    promptTrouble: trouble.test(turn.prompt.slice(0, 2_000)),
    promptMakes: makes.test(turn.prompt.slice(0, 2_000)),
    promptDesigns: designs.test(turn.prompt.slice(0, 2_000)),
    turnFixes: fixes.test(turn.final.slice(0, 4_000)),
    promptIsQuestion: /[?？]\s*$/.test(turn.prompt.trimEnd()),
    isPasted: isPasted(turn.prompt),
    isCut: turn.outcome !== "completed",
    finalLength: turn.final.length,
    finalWords: new Set(wordsOf(turn.final.slice(0, 8_000))),
    previousAsked: /[?？]\s*$/.test(previousFinal.trimEnd()),
  };
}

function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase();
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
}
