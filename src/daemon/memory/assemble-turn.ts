import { mergeRecords } from "../../domain/memory/merge-records.ts";
import { toSteps } from "../../domain/memory/tool-steps.ts";
import type { Step, TurnRecord } from "../../domain/memory/turn-record.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { asRecord, parseJson } from "../../shared/json.ts";
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
  /** Whether a prompt came over the API, where any program can post one: it is not evidence of what the person said. */
  isPosted: boolean;
}

/** For a longer turn only the first events and the final message are used; the store keeps them all. */
const maxEvents = 1_000;

/**
 * Assembles a turn from its stored events, and from its transcript if that was read. Undefined if there is no such turn
 * or it has not ended.
 */
export function assembleTurn(db: Database, turnId: string, recorded?: TurnRecord): AssembledTurn | undefined {
  const facts = readTurnFacts(db, turnId, maxEvents);
  if (!facts || facts.turn.endedAt === null) return undefined;
  const { turn, prompts, events } = facts;
  const human = prompts.filter(({ machine }) => machine === 0);
  const first = human[0] ?? prompts[0];
  const { sessionId, project, cwd, startedAt } = turn;
  const host = hostFor(turn.host);
  const uses = events.map((event) => ({ toolUseId: event.toolUseId, steps: readSteps(event, host) }));
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
    isPosted: human.some(({ posted }) => posted === 1),
    record: recorded ? mergeRecords(record, uses, recorded) : record,
  };
}

/** Only the edits of a subagent count: its findings are in its parent's tool result. */
function readSteps(event: ToolEvent, { tools, requests }: Host): Step[] {
  const { id, subagentId, toolName, toolKind, filePath, via, payload } = event;
  if (toolName === null || toolKind === null || (subagentId !== null && toolKind !== "edit")) return [];
  const {
    tool_input: rawInput,
    tool_response: response,
    error,
  } = parseJson(payload) as Record<string, unknown>;
  const input = asRecord(rawInput);
  const { target, changes } = tools.readCall(toolName, input);
  return toSteps({
    eventId: id,
    tool: toolName,
    toolKind,
    file: filePath ?? undefined,
    input,
    target,
    changes,
    output: typeof error === "string" ? error : tools.outputOf(response),
    failed: typeof error === "string",
    // An answer that was posted over the API is not evidence of what the person chose.
    answers: toolKind === "ask" && via !== "api" ? requests.readAnswers(input, response) : [],
  });
}
