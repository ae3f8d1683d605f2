import type { Step, ToolStep, TurnRecord } from "../memory/turn-record.ts";
import { clipText } from "./clip-text.ts";
import type { LineFacts, PromptEntry, SayEntry, ToolResultEntry, ToolUseEntry } from "./entry.ts";

/** A turn as read from a transcript. */
export interface TranscriptTurn extends TurnRecord {
  /** The session in which it first happened, if the transcript still names it. */
  sessionId: string;
  /** The host's prompt id, as in its hooks; null for copies in a fork, which all have the id of a later prompt. */
  promptId: string | null;
  /** The uuid of the prompt's line: identical in every resumed, forked or branched transcript. */
  key: string;
  startedAt: number;
  /** When its last event happened. */
  endedAt: number;
  cwd: string | null;
  gitBranch: string | null;
  version: string | null;
  toolUses: number;
  /** The host's compaction summary of the session so far, written in this turn or right after it. */
  compactSummary?: string;
}

export interface TurnDraft {
  turn: TranscriptTurn;
  /** The turn looks finished, though more may follow. */
  isOver: boolean;
  tools: Map<string, ToolStep>;
  lastMessageId: string | null;
  /** Characters that may still be stored at full length. */
  budget: number;
}

/** A turn of thousands of tool calls must not be held at full length. */
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

/** Adds a prompt to the running turn: a person's text becomes part of the request, a machine's does not. */
export function addPrompt(draft: TurnDraft, entry: PromptEntry): void {
  if (entry.report) setReport(draft, entry.report);
  draft.isOver = false;
  if (entry.origin === "machine") return;
  const { turn } = draft;
  turn.prompt = turn.isMachine || turn.prompt === "" ? entry.text : `${turn.prompt}\n\n${entry.text}`;
  turn.isMachine = false;
}

export function addMessage(draft: TurnDraft, entry: SayEntry): void {
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
  const { name: tool, toolKind, file, toolUseId: eventId } = entry;
  const step: ToolStep = {
    kind: "tool",
    tool,
    toolKind,
    ...(file ? { file } : {}),
    ...spendCall(draft, entry),
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
    const what = step.target || clipText(JSON.stringify(step.input), frugalLimit);
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

/** Sets the report of a background agent, which arrives long after its call returned. */
export function setReport(draft: TurnDraft, report: { toolUseId: string; result: string }): void {
  const step = draft.tools.get(report.toolUseId);
  if (step) step.output = spend(draft, report.result);
}

/** Esc during a tool call makes the host write a refusal, although no one refused. */
export function undoRefusal(draft: TurnDraft): void {
  const last = draft.turn.steps.at(-1);
  if (last?.kind !== "denied" || last.reason !== "") return;
  const step = draft.tools.get(last.eventId);
  if (!step) return;
  step.failed = true;
  draft.turn.steps.splice(-1, 1, step);
}

/** More output follows: the last message becomes an ordinary step. */
function settleFinal({ turn }: TurnDraft): void {
  if (turn.final !== "") turn.steps.push({ kind: "say", text: turn.final });
  turn.final = "";
}

function replaceStep(draft: TurnDraft, step: ToolStep, steps: Step[]): void {
  const place = draft.turn.steps.lastIndexOf(step);
  if (place >= 0) draft.turn.steps.splice(place, 1, ...steps);
}

function spend(draft: TurnDraft, text: string): string {
  draft.budget -= text.length;
  return draft.budget >= 0 ? text : clipText(text, frugalLimit);
}

function spendCall(
  draft: TurnDraft,
  { input, target, changes }: ToolUseEntry,
): Pick<ToolStep, "input" | "target" | "changes"> {
  for (const value of Object.values(input)) draft.budget -= typeof value === "string" ? value.length : 100;
  if (draft.budget >= 0) return { input, target, changes };
  const short = <T>(value: T): T | string =>
    typeof value === "string" ? clipText(value, frugalLimit) : value;
  return {
    input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, short(value)])),
    target: short(target),
    changes: changes.map(({ before, after }) => ({ before: short(before), after: short(after) })),
  };
}

/** An imported prompt has no hook event, so the id of its line is used. */
export function promptEventOf(key: string): string {
  return `transcript:${key}`;
}
