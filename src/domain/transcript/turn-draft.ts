import type { Step, ToolStep, TurnRecord } from "../memory/turn-record.ts";
import { clipText } from "./clip-text.ts";
import type { LineFacts, PromptEntry, SayEntry, ToolResultEntry, ToolUseEntry } from "./entry.ts";

/** A turn as a transcript tells it. */
export interface TranscriptTurn extends TurnRecord {
  /** Of the session it first happened in, where the transcript still tells. */
  sessionId: string;
  /** The host's id, as its hooks have it; null for copies in a fork, which all bear the id of a later prompt. */
  promptId: string | null;
  /** The uuid of the prompt's line: the same in every resumed, forked or branched transcript. */
  key: string;
  startedAt: number;
  /** When the last thing of it happened. */
  endedAt: number;
  cwd: string | null;
  gitBranch: string | null;
  version: string | null;
  toolUses: number;
  /** Said by the host in this turn or right after it: what the session had done up to here. */
  compactSummary?: string;
}

export interface TurnDraft {
  turn: TranscriptTurn;
  /** Nothing more is expected, though it may come. */
  isOver: boolean;
  tools: Map<string, ToolStep>;
  lastMessageId: string | null;
  /** Characters that may still be kept at full length. */
  budget: number;
}

/** A turn of thousands of tool calls must not hold them all at full length. */
const turnBudget = 24_000_000;
const frugalLimit = 400;

export function openDraft(facts: LineFacts, prompt: string, promptId: string | null): TurnDraft {
  const { sessionId, at, uuid, cwd, gitBranch, version } = facts;
  const turn: TranscriptTurn = {
    sessionId,
    promptId,
    key: uuid,
    startedAt: at,
    endedAt: at,
    cwd,
    gitBranch,
    version,
    toolUses: 0,
    prompt,
    isMachine: false,
    steps: [],
    final: "",
    outcome: null,
  };
  return { turn, isOver: false, tools: new Map(), lastMessageId: null, budget: turnBudget };
}

/** Words that the running turn took up: the person's are part of what was asked, a machine's are not. */
export function addWords(draft: TurnDraft, entry: PromptEntry): void {
  if (entry.report) setReport(draft, entry.report);
  draft.isOver = false;
  if (entry.origin === "machine") return;
  const { turn } = draft;
  turn.prompt = turn.isMachine || turn.prompt === "" ? entry.text : `${turn.prompt}\n\n${entry.text}`;
  turn.isMachine = false;
}

export function addSay(draft: TurnDraft, entry: SayEntry): void {
  const { turn } = draft;
  const isSameMessage = entry.messageId !== null && entry.messageId === draft.lastMessageId;
  if (turn.final !== "" && !isSameMessage) settleFinal(draft);
  turn.final = turn.final === "" ? entry.text : `${turn.final}\n\n${entry.text}`;
  draft.lastMessageId = entry.messageId;
  draft.isOver = !entry.isBeforeTools;
  turn.outcome = draft.isOver ? "completed" : null;
}

export function addToolUse(draft: TurnDraft, entry: ToolUseEntry): void {
  if (draft.tools.has(entry.toolUseId)) return;
  settleFinal(draft);
  const { name: tool, toolKind, file, input, toolUseId: eventId } = entry;
  const step: ToolStep = {
    kind: "tool",
    tool,
    toolKind,
    ...(file ? { file } : {}),
    input: spendInput(draft, input),
    output: "",
    failed: false,
    eventId,
  };
  draft.tools.set(eventId, step);
  draft.turn.steps.push(step);
  draft.turn.toolUses += 1;
  draft.turn.outcome = null;
  draft.isOver = false;
}

export function addToolResult(draft: TurnDraft, entry: ToolResultEntry): void {
  const step = draft.tools.get(entry.toolUseId);
  if (!step) return;
  const { denied, answers } = entry;
  const eventId = step.eventId;
  if (denied) {
    const { tool, toolKind } = step;
    const what = describeInput(step.input);
    replaceStep(draft, step, [{ kind: "denied", tool, toolKind, what, reason: denied.reason, eventId }]);
  } else if (answers.length > 0) {
    replaceStep(
      draft,
      step,
      answers.map((answer): Step => ({ kind: "answer", ...answer, eventId })),
    );
  } else {
    step.output = spend(draft, entry.text);
    step.failed = entry.isError;
  }
}

/** The report of an agent in the background, which comes long after its call returned. */
export function setReport(draft: TurnDraft, report: { toolUseId: string; result: string }): void {
  const step = draft.tools.get(report.toolUseId);
  if (step) step.output = spend(draft, report.result);
}

/** Esc on a running tool makes the host write a refusal that nobody spoke. */
export function undoRefusal(draft: TurnDraft): void {
  const last = draft.turn.steps.at(-1);
  if (last?.kind !== "denied" || last.reason !== "") return;
  const step = draft.tools.get(last.eventId);
  if (!step) return;
  step.failed = true;
  draft.turn.steps.splice(-1, 1, step);
}

/** What was said last turns out not to be the last word. */
function settleFinal({ turn }: TurnDraft): void {
  if (turn.final !== "") turn.steps.push({ kind: "say", text: turn.final });
  turn.final = "";
}

function replaceStep(draft: TurnDraft, step: ToolStep, steps: Step[]): void {
  const place = draft.turn.steps.lastIndexOf(step);
  if (place >= 0) draft.turn.steps.splice(place, 1, ...steps);
}

/** What was about to be done, in the words a person saw. */
function describeInput(input: Record<string, unknown>): string {
  const { questions } = input as { questions?: { question?: unknown }[] };
  const asked = Array.isArray(questions) ? questions[0]?.question : undefined;
  for (const value of [input["command"], input["file_path"], input["plan"], input["url"], asked])
    if (typeof value === "string") return value;
  return clipText(JSON.stringify(input), frugalLimit);
}

function spend(draft: TurnDraft, text: string): string {
  draft.budget -= text.length;
  return draft.budget >= 0 ? text : clipText(text, frugalLimit);
}

function spendInput(draft: TurnDraft, input: Record<string, unknown>): Record<string, unknown> {
  for (const value of Object.values(input)) draft.budget -= typeof value === "string" ? value.length : 100;
  if (draft.budget >= 0) return input;
  const short = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === "string" ? clipText(value, frugalLimit) : value,
  ]);
  return Object.fromEntries(short);
}
