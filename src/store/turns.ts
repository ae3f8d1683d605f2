import type { LooseFindings } from "../domain/memory/turn-record.ts";
import { openRowTable } from "./row-table.ts";
import { parseJson } from "../shared/json.ts";
import type { Database } from "../sqlite/sqlite.ts";

type TurnOutcome = "completed" | "failed" | "interrupted" | "abandoned";

export interface TurnRow {
  id: string;
  sessionId: string;
  promptId: string | null;
  number: number;
  originKind: "human" | "machine" | "unseen";
  outcome: TurnOutcome | null;
  lastAssistantMessage: string | null;
  startedAt: number;
  endedAt: number | null;
}

/** A host writes its transcript within this time of its hook. */
const sameTurnMs = 60_000;

interface PromptRow {
  eventId: string;
  sessionId: string;
  turnId: string;
  promptId: string | null;
  text: string;
  machine: boolean;
  occurredAt: number;
}

export interface TurnTable {
  /** Assigns its number within the session. */
  insert(turn: Omit<TurnRow, "number">): void;
  update(turn: Omit<TurnRow, "number">): void;
  /** The turn of a host's prompt id: its own, or the turn during which a machine prompt arrived. */
  byPrompt(sessionId: string, promptId: string): TurnRow | undefined;
  /** The turn that began with this prompt about then, for hosts that give prompts no ids. */
  byPromptText(sessionId: string, prompt: string, startedAt: number): TurnRow | undefined;
  /** The turn that has not ended, if any. */
  findOpen(sessionId: string): TurnRow | undefined;
  ofSession(sessionId: string): TurnRow[];
  /** The agent's last message of a turn. */
  answerOf(id: string): string | null;
  /** The id of the session that a turn belongs to. */
  sessionOf(id: string): string | undefined;
  /** The last turns of a session without their messages: sessions can have many turns, and messages are long. */
  listOutlines(sessionId: string, limit: number): TurnRow[];
  settle(id: string, outcome: TurnOutcome | null, endedAt: number | null): void;
  /** Ended but not yet distilled; oldest first. */
  listUndistilled(limit: number): string[];
  /** The sessions of turns that are not yet distilled. */
  listUndistilledSessions(): string[];
  markDistilled(id: string, at: number): void;
  /** Its place among the turns of its session. */
  numberOf(id: string): number | undefined;
  countOfSession(sessionId: string): number;
  /** Findings that no note has taken yet. */
  setLooseFindings(id: string, loose: LooseFindings): void;
  listLooseFindings(sessionId: string): (LooseFindings & { turnId: string; number: number })[];
  /** Queues the turn to be distilled again, because more is known about it. */
  markUndistilled(id: string): void;
  /** The turn that starts with this line of a transcript, in any copy of it. */
  byKey(key: string): TurnRow | undefined;
  setKey(id: string, key: string): void;
  insertPrompt(prompt: PromptRow): void;
  /** The prompts of a turn, in order. */
  promptsOf(id: string): { text: string; isMachine: boolean }[];
  lastHumanPrompt(sessionId: string): string | undefined;
  /** The beginning of the first human prompt of a session. */
  firstHumanPrompt(sessionId: string): string | undefined;
  /** When a person last prompted a session; 0 for never. */
  lastHumanPromptAt(sessionId: string): number;
  /** The prompt of this event, if a person wrote it. */
  findHumanPrompt(eventId: string): { sessionId: string; text: string; at: number } | undefined;
  /** Whether a person wrote the prompt of this event; false if no prompt is stored for it. */
  isHumanPrompt(eventId: string): boolean;
  hasPrompt(sessionId: string, text: string): boolean;
  /** Whether an event is a prompt. */
  isPrompt(eventId: string): boolean;
  /** Removes the turn created for a prompt of another tool's memory, and returns that prompt's event. */
  removeImportedPrompt(sessionId: string, text: string): string | undefined;
}

const mutable = "prompt_id, origin_kind, outcome, last_assistant_message, started_at, ended_at";

export function openTurnTable(db: Database, origin: string): TurnTable {
  const turns = openRowTable<Omit<TurnRow, "number">>(db, "turns", `id, session_id, number, ${mutable}`);
  const prompts = openRowTable<PromptRow>(
    db,
    "prompts",
    "event_id, session_id, turn_id, prompt_id, text, machine, occurred_at",
  );
  const { select } = turns;
  const nextNumber = (table: "turns" | "prompts", sessionId: string): number =>
    db.get<{ number: number }>(
      `SELECT coalesce(max(number), 0) + 1 AS number FROM ${table} WHERE session_id = ?`,
      sessionId,
    )?.number ?? 1;
  return {
    insert(turn) {
      turns.insert(turn, { number: nextNumber("turns", turn.sessionId), origin });
    },
    update(turn) {
      turns.update(turn, mutable);
    },
    byPrompt: (sessionId, promptId) =>
      db.get<TurnRow>(`${select} WHERE session_id = ? AND prompt_id = ?`, sessionId, promptId) ??
      db.get<TurnRow>(
        `${select} WHERE id = (SELECT turn_id FROM prompts WHERE session_id = ? AND prompt_id = ? LIMIT 1)`,
        sessionId,
        promptId,
      ),
    byPromptText: (sessionId, prompt, startedAt) =>
      db.get<TurnRow>(
        `${select} WHERE id = (SELECT turn_id FROM prompts WHERE session_id = ? AND text = ?
           AND occurred_at BETWEEN ? AND ? ORDER BY abs(occurred_at - ?) LIMIT 1)`,
        sessionId,
        prompt,
        startedAt - sameTurnMs,
        startedAt + sameTurnMs,
        startedAt,
      ),
    findOpen: (sessionId) =>
      db.get<TurnRow>(
        `${select} WHERE session_id = ? AND ended_at IS NULL ORDER BY number DESC LIMIT 1`,
        sessionId,
      ),
    listOutlines: (sessionId, limit) =>
      db.all<TurnRow>(
        `${select.replace("last_assistant_message AS", "NULL AS")} WHERE session_id = ? ORDER BY number DESC LIMIT ?`,
        sessionId,
        limit,
      ),
    settle(id, outcome, endedAt) {
      db.run("UPDATE turns SET outcome = ?, ended_at = ? WHERE id = ?", outcome, endedAt, id);
    },
    answerOf: (id) =>
      db.get<{ answer: string | null }>("SELECT last_assistant_message AS answer FROM turns WHERE id = ?", id)
        ?.answer ?? null,
    sessionOf: (id) => db.get<{ id: string }>("SELECT session_id AS id FROM turns WHERE id = ?", id)?.id,
    ofSession: (sessionId) => db.all<TurnRow>(`${select} WHERE session_id = ? ORDER BY number`, sessionId),
    listUndistilled: (limit) =>
      db
        .all<{ id: string }>(
          "SELECT id FROM turns WHERE distilled_at IS NULL AND ended_at IS NOT NULL ORDER BY ended_at LIMIT ?",
          limit,
        )
        .map(({ id }) => id),
    listUndistilledSessions: () =>
      db
        .all<{ id: string }>(
          "SELECT DISTINCT session_id AS id FROM turns WHERE distilled_at IS NULL AND ended_at IS NOT NULL",
        )
        .map(({ id }) => id),
    markDistilled(id, at) {
      db.run("UPDATE turns SET distilled_at = ? WHERE id = ?", at, id);
    },
    countOfSession: (sessionId) =>
      db.get<{ last: number | null }>("SELECT max(number) AS last FROM turns WHERE session_id = ?", sessionId)
        ?.last ?? 0,
    numberOf: (id) => db.get<{ number: number }>("SELECT number FROM turns WHERE id = ?", id)?.number,
    setLooseFindings(id, loose) {
      const text = loose.facts.length === 0 ? null : JSON.stringify(loose);
      db.run("UPDATE turns SET loose_facts = ? WHERE id = ?", text, id);
    },
    listLooseFindings: (sessionId) =>
      db
        .all<{ turnId: string; number: number; loose: string }>(
          `SELECT id AS turnId, number, loose_facts AS loose FROM turns
           WHERE session_id = ? AND loose_facts IS NOT NULL ORDER BY number`,
          sessionId,
        )
        .map(({ loose, ...row }) => ({ ...row, ...readLoose(loose) })),
    markUndistilled(id) {
      db.run("UPDATE turns SET distilled_at = NULL WHERE id = ?", id);
    },
    byKey: (key) => db.get<TurnRow>(`${select} WHERE transcript_key = ?`, key),
    setKey(id, key) {
      db.run("UPDATE OR IGNORE turns SET transcript_key = ? WHERE id = ?", key, id);
    },
    promptsOf: (id) =>
      db
        .all<{ text: string; machine: number }>(
          "SELECT text, machine FROM prompts WHERE turn_id = ? ORDER BY number",
          id,
        )
        .map(({ text, machine }) => ({ text, isMachine: machine === 1 })),
    lastHumanPrompt: (sessionId) =>
      db.get<{ text: string }>(
        "SELECT text FROM prompts WHERE session_id = ? AND machine = 0 ORDER BY number DESC LIMIT 1",
        sessionId,
      )?.text,
    firstHumanPrompt: (sessionId) =>
      db.get<{ text: string }>(
        "SELECT substr(text, 1, 2000) AS text FROM prompts WHERE session_id = ? AND machine = 0 ORDER BY number LIMIT 1",
        sessionId,
      )?.text,
    lastHumanPromptAt: (sessionId) =>
      db.get<{ at: number }>(
        "SELECT coalesce(max(occurred_at), 0) AS at FROM prompts WHERE session_id = ? AND machine = 0",
        sessionId,
      )?.at ?? 0,
    findHumanPrompt: (eventId) =>
      db.get<{ sessionId: string; text: string; at: number }>(
        "SELECT session_id AS sessionId, text, occurred_at AS at FROM prompts WHERE event_id = ? AND machine = 0",
        eventId,
      ),
    isHumanPrompt: (eventId) =>
      db.get("SELECT 1 FROM prompts WHERE event_id = ? AND machine = 0", eventId) !== undefined,
    hasPrompt: (sessionId, text) =>
      db.get("SELECT 1 FROM prompts WHERE session_id = ? AND text = ?", sessionId, text) !== undefined,
    isPrompt: (eventId) => db.get("SELECT 1 FROM prompts WHERE event_id = ?", eventId) !== undefined,
    removeImportedPrompt(sessionId, text) {
      const found = db.get<{ turnId: string; eventId: string }>(
        `SELECT p.turn_id AS turnId, p.event_id AS eventId FROM prompts p JOIN turns t ON t.id = p.turn_id
         WHERE p.session_id = ? AND p.text = ? AND t.transcript_key = p.event_id`,
        sessionId,
        text,
      );
      if (!found) return undefined;
      db.run("DELETE FROM prompts WHERE event_id = ?", found.eventId);
      db.run("DELETE FROM turns WHERE id = ?", found.turnId);
      return found.eventId;
    },
    insertPrompt(prompt) {
      prompts.insert(prompt, { number: nextNumber("prompts", prompt.sessionId) });
    },
  };
}

/** Rows of earlier versions hold only the facts. */
function readLoose(text: string): LooseFindings {
  const loose = parseJson(text) as string[] | LooseFindings;
  return Array.isArray(loose) ? { facts: loose } : loose;
}
