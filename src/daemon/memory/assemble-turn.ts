import { isMachinePrompt } from "../../domain/capture/machine-prompt.ts";
import { mergeTold } from "../../domain/memory/merge-told.ts";
import { toSteps } from "../../domain/memory/tool-steps.ts";
import type { Step, TurnRecord } from "../../domain/memory/turn-record.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { parseJson } from "../../shared/json.ts";
import { readTurnFacts, type ToolEvent } from "../../store/turn-facts.ts";

export interface AssembledTurn {
  turnId: string;
  sessionId: string;
  project: string;
  cwd: string | null;
  promptEventId: string;
  promptNumber: number | null;
  startedAt: number;
  endedAt: number;
  /** The agent's last message before this turn. */
  previousFinal: string;
  record: TurnRecord;
}

/** Of a longer turn only the first events and the final message are used; the store keeps them all. */
const maxEvents = 1_000;

/**
 * Puts a turn together from its stored events, and from what its transcript tells where that was read. Undefined if
 * there is no such turn or it has not ended.
 */
export function assembleTurn(db: Database, turnId: string, told?: TurnRecord): AssembledTurn | undefined {
  const facts = readTurnFacts(db, turnId, maxEvents);
  if (!facts || facts.turn.endedAt === null) return undefined;
  const { turn, prompts, events } = facts;
  const human = prompts.filter(({ text }) => !isMachinePrompt(text));
  const first = human[0] ?? prompts[0];
  const { sessionId, project, cwd, startedAt } = turn;
  const uses = events.map((event) => ({ toolUseId: event.toolUseId, steps: readSteps(event) }));
  const record: TurnRecord = {
    prompt: (human.length > 0 ? human : prompts).map(({ text }) => text).join("\n"),
    isMachine: human.length === 0,
    steps: uses.flatMap((use) => use.steps),
    final: turn.final ?? "",
    ...(cwd ? { root: cwd } : {}),
    outcome: turn.outcome,
  };
  return {
    turnId,
    sessionId,
    project,
    cwd,
    startedAt,
    endedAt: facts.turn.endedAt,
    promptEventId: first?.eventId ?? turnId,
    promptNumber: first?.number ?? null,
    previousFinal: facts.previousFinal,
    record: told ? mergeTold(record, uses, told) : record,
  };
}

const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

/** Of a subagent's work only the edits count: what it found out comes back in its parent's tool result. */
function readSteps({ id, subagentId, toolName, payload }: ToolEvent): Step[] {
  if (toolName === null || (subagentId !== null && !edits.has(toolName))) return [];
  const { tool_input: input, tool_response: response, error } = parseJson(payload) as Record<string, unknown>;
  const isRecord = typeof input === "object" && input !== null && !Array.isArray(input);
  return toSteps({
    eventId: id,
    tool: toolName,
    input: isRecord ? (input as Record<string, unknown>) : {},
    response,
    error: typeof error === "string" ? error : undefined,
  });
}
