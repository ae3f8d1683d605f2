import { flattenToLine } from "../domain/story/to-line.ts";
import type { StorySummary, StoryTool, StoryTurn, StoryView } from "../protocol/viewer.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

export interface StoryJob {
  sessionId: string;
  before: number | undefined;
  limit: number;
}

/** Only the first calls of a very long turn are shown. */
const maxTools = 200;
const maxFiles = 200;
const maxReceived = 500;
const maxCharacters = 20_000;

type StoryTurnRow = Pick<StoryTurn, "number" | "kind" | "outcome" | "startedAt" | "endedAt" | "said"> & {
  id: string;
};

interface StoryToolRow {
  tool: string;
  event: string;
  input: string | null;
  subagentId: string | null;
  at: number;
}

/** The rules of the session's host. */
interface StoryRules {
  /** The target of a tool call. */
  findTarget(host: string | undefined, tool: string, input: unknown): string;
  /** The text of a machine prompt, without tags. */
  readMachinePrompt(host: string | undefined, prompt: string): string;
  /** Whether a machine prompt only announces messages. */
  isWakeLine(text: string): boolean;
}

type Received = StoryTurn["received"][number];

/** The story of a session, for the viewer: its turns with prompts, tool calls and results, and its files. */
export function readStory(
  db: Database,
  { sessionId, before, limit }: StoryJob,
  rules: StoryRules,
): StoryView {
  const { host } = db.get<{ host: string }>("SELECT host FROM sessions WHERE id = ?", sessionId) ?? {};
  const turns = db.all<StoryTurnRow>(
    `SELECT id, number, origin_kind AS kind, outcome, started_at AS startedAt, ended_at AS endedAt,
       substr(last_assistant_message, 1, ${maxCharacters}) AS said
     FROM turns WHERE session_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    sessionId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  const first = turns.at(-1)?.number ?? 0;
  const earlier = db.get<{ n: number }>(
    "SELECT count(*) AS n FROM turns WHERE session_id = ? AND number < ?",
    sessionId,
    first,
  );
  const received = listReceived(db, sessionId);
  const oldestFirst = turns.toReversed();
  return {
    turns: oldestFirst.map((turn, index) => {
      const until = oldestFirst[index + 1]?.startedAt ?? Number.MAX_SAFE_INTEGER;
      const own = received.filter(({ at }) => at >= turn.startedAt && at < until);
      return makeStoryTurn(db, sessionId, turn, own, {
        findTarget: (tool, input) => rules.findTarget(host, tool, input),
        readMachinePrompt: (prompt) => rules.readMachinePrompt(host, prompt),
        isWakeLine: rules.isWakeLine,
      });
    }),
    earlier: earlier?.n ?? 0,
    files: listFiles(db, sessionId),
  };
}

/** The latest texts that were delivered to the session, oldest first. */
function listReceived(db: Database, sessionId: string): Received[] {
  return db
    .all<Received>(
      `SELECT id, kind, sender AS "from", substr(body, 1, ${maxCharacters}) AS text, injected_at AS at FROM deliveries
       WHERE session_id = ? AND injected_at IS NOT NULL ORDER BY injected_at DESC, rowid DESC LIMIT ${maxReceived}`,
      sessionId,
    )
    .toReversed();
}

interface TurnRules {
  findTarget(tool: string, input: unknown): string;
  readMachinePrompt(prompt: string): string;
  isWakeLine(text: string): boolean;
}

function makeStoryTurn(
  db: Database,
  sessionId: string,
  { id, ...turn }: StoryTurnRow,
  received: Received[],
  { findTarget, readMachinePrompt, isWakeLine }: TurnRules,
): StoryTurn {
  const prompts = db.all<{ text: string; machine: number; at: number }>(
    `SELECT substr(text, 1, ${maxCharacters}) AS text, machine, occurred_at AS at FROM prompts WHERE turn_id = ? ORDER BY number`,
    id,
  );
  const tools = db.all<StoryToolRow>(
    `SELECT tool_name AS tool, event, payload -> '$.tool_input' AS input, subagent_id AS subagentId, occurred_at AS at
     FROM events WHERE session_id = ? AND turn_id = ? AND tool_name IS NOT NULL
       AND event IN ('tool.after', 'tool.failed') ORDER BY occurred_at, seq`,
    sessionId,
    id,
  );
  return {
    ...turn,
    prompts: prompts
      .map(({ text, machine, at }) =>
        machine === 1
          ? { text: readMachinePrompt(text), isMachine: true, at }
          : { text, isMachine: false, at },
      )
      .filter(({ text, isMachine }) => !isMachine || received.length === 0 || !isWakeLine(text)),
    received,
    tools: tools
      .slice(0, maxTools)
      .map((facts) => makeStoryTool(facts, findTarget(facts.tool, parse(facts.input)))),
    moreTools: Math.max(0, tools.length - maxTools),
    summary:
      db.get<StorySummary>(
        `SELECT request, investigated, learned, completed, next_steps AS nextSteps, notes FROM summaries WHERE turn_id = ?`,
        id,
      ) ?? null,
    notes: db.all<StoryTurn["notes"][number]>(
      "SELECT id, type, title FROM observations WHERE turn_id = ? ORDER BY created_at, id",
      id,
    ),
  };
}

function makeStoryTool({ tool, event, subagentId, at }: StoryToolRow, target: string): StoryTool {
  return {
    tool,
    about: flattenToLine(target),
    hasFailed: event === "tool.failed",
    bySubagent: subagentId !== null,
    at,
  };
}

function listFiles(db: Database, sessionId: string): StoryView["files"] {
  return db.all<StoryView["files"][number]>(
    `SELECT file_path AS path, sum(tool_kind = 'read') AS reads, sum(tool_kind = 'edit') AS edits FROM events
     WHERE session_id = ? AND event = 'tool.after' AND tool_kind IN ('read', 'edit') AND file_path IS NOT NULL
     GROUP BY file_path ORDER BY edits DESC, reads DESC, path LIMIT ${maxFiles}`,
    sessionId,
  );
}

function parse(json: string | null): unknown {
  return json === null ? undefined : parseJson(json);
}
