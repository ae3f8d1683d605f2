import type { SettledQuestion } from "../domain/ask/outcome.ts";
import type {
  Answer,
  Answerer,
  Prompt,
  QuestionKind,
  QuestionState,
  Subject,
  Verdict,
} from "../domain/ask/question.ts";
import type { Database, Row, Value } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";
import { openRowTable } from "./row-table.ts";

export interface QuestionRow extends SettledQuestion {
  id: string;
  hookId: string | null;
  project: string;
  projectName: string;
  agentId: string | null;
  agent: string;
  sessionId: string | null;
  subagentId: string | null;
  subagent: string | null;
  hostPid: number | null;
  pidStarted: string | null;
  toolName: string | null;
  toolUseId: string | null;
  input: Record<string, unknown>;
  isExact: boolean;
  inputHash: string;
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  wording: string;
  earlier: { answer: string; at: number } | null;
  urgency: "normal" | "now";
  createdAt: number;
  expiresAt: number;
  settledAt: number | null;
  handedAt: number | null;
}

/** The columns that are read repeatedly while a question is open. */
export type QuestionBrief = Pick<
  QuestionRow,
  "id" | "kind" | "hookId" | "agent" | "projectName" | "sessionId" | "hostPid" | "pidStarted" | "urgency"
> &
  Pick<QuestionRow, "createdAt" | "expiresAt" | "verdict" | "handedAt" | "isExact" | "toolUseId">;

/** How a question leaves `open`. */
export interface Settlement {
  state: Exclude<QuestionState, "open">;
  verdict: Verdict | null;
  answer: Answer | null;
  answerer: Answerer | null;
  note: string | null;
  at: number;
}

export type NewQuestion = Omit<
  QuestionRow,
  "state" | "verdict" | "answer" | "place" | "answeredBy" | "note" | "settledAt" | "handedAt"
>;

export interface QuestionTable {
  insert(question: NewQuestion): void;
  byId(id: string): QuestionRow | undefined;
  /** Questions whose id ends with this suffix, as people type it. */
  byShortId(end: string): QuestionRow[];
  byHook(hookId: string): QuestionRow | undefined;
  listOpen(): QuestionBrief[];
  /** Answered outside the terminal, not yet confirmed or overruled. */
  listUnconfirmed(): QuestionBrief[];
  /** Questions of one session that are open or sent. */
  listPending(sessionId: string): QuestionRow[];
  /** Settled, but the asker (a tool or command) has not received the answer yet. */
  listUndelivered(): QuestionRow[];
  recent(state: QuestionState | undefined, limit: number): QuestionRow[];
  /** Whether this tool use already has a question. */
  hasToolUse(sessionId: string, toolUseId: string): boolean;
  /** The latest answers of the same kind in the same project, newest first. */
  listAnswered(project: string, kind: QuestionKind, limit: number): QuestionRow[];
  countOpen(): number;
  /**
   * Ids of questions to forget now: marked for it and finished. Finished means that the host has confirmed the
   * answer, the asker has it and every card shows it; or that it was settled before the given time.
   */
  listToForget(settledBefore: number): string[];
  /** The only transition out of `open`. False if it was no longer open. */
  settle(id: string, settling: Settlement): boolean;
  /** Records whether the host's events confirmed or overruled a sent verdict. False if that is already recorded. */
  recordVerdict(id: string, verdict: "confirmed" | "overruled", note: string | null): boolean;
  /** False if it was already delivered. */
  markDelivered(id: string, at: number): boolean;
}

const json = ["input", "prompts", "subject", "sessionRule", "earlier", "answer"] as const;
const columns = `id, kind, hook_id, project, project_name, agent_id, agent, session_id, subagent_id, subagent, host_pid,
  pid_started, tool_name, tool_use_id, input, is_exact, input_hash, context, prompts, subject, session_rule, wording,
  earlier, urgency, state, verdict, answer, place, answered_by, note, created_at, expires_at, settled_at, handed_at`;

const selectBrief = `SELECT id, kind, hook_id AS hookId, agent, project_name AS projectName, session_id AS sessionId,
  host_pid AS hostPid, pid_started AS pidStarted, urgency, created_at AS createdAt, expires_at AS expiresAt, verdict,
  handed_at AS handedAt, is_exact AS isExact, tool_use_id AS toolUseId FROM questions`;
type Brief = Omit<QuestionBrief, "isExact"> & { isExact: number };

const toForgetSql = `SELECT id FROM questions q WHERE forget_when_over = 1 AND state <> 'open' AND (settled_at < ?
  OR verdict IS NOT 'sent' AND (hook_id IS NOT NULL OR handed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE question_id = q.id AND state IN ('held', 'waiting', 'sending'))
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE question_id = q.id AND state = 'sent' AND shown IS NULL)
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE kind = 'answer' AND state <> 'confirmed' AND instr(body, q.id) > 0))`;

export function openQuestionTable(db: Database, origin: string): QuestionTable {
  const table = openRowTable<QuestionRow>(db, "questions", columns);
  const { select } = table;
  const one = (where: string, ...values: Value[]): QuestionRow | undefined => {
    const row = db.get(`${select} WHERE ${where}`, ...values);
    return row && read(row);
  };
  const all = (rest: string, ...values: Value[]): QuestionRow[] =>
    db.all(`${select} ${rest}`, ...values).map(read);
  return {
    insert(question) {
      table.insert({ ...question, state: "open" }, { origin });
    },
    byId: (id) => one("id = ?", id),
    byShortId: (end) => all("WHERE substr(id, -length(?1)) = ?1 LIMIT 2", end),
    byHook: (hookId) => one("hook_id = ?", hookId),
    listOpen: () => db.all<Brief>(`${selectBrief} WHERE state = 'open' ORDER BY created_at`).map(readBrief),
    listUnconfirmed: () =>
      db.all<Brief>(`${selectBrief} WHERE verdict = 'sent' ORDER BY settled_at`).map(readBrief),
    listPending: (sessionId) => [
      ...all("WHERE state = 'open' AND session_id = ? ORDER BY created_at", sessionId),
      ...all("WHERE verdict = 'sent' AND session_id = ? ORDER BY created_at", sessionId),
    ],
    listUndelivered: () =>
      all("WHERE state <> 'open' AND hook_id IS NULL AND handed_at IS NULL ORDER BY settled_at"),
    recent: (state, limit) =>
      state === undefined
        ? all("ORDER BY created_at DESC LIMIT ?", limit)
        : all("WHERE state = ? ORDER BY created_at DESC LIMIT ?", state, limit),
    hasToolUse: (sessionId, toolUseId) =>
      db.get("SELECT 1 FROM questions WHERE session_id = ? AND tool_use_id = ?", sessionId, toolUseId) !==
      undefined,
    listAnswered: (project, kind, limit) =>
      all(
        "WHERE state = 'answered' AND project = ? AND kind = ? ORDER BY settled_at DESC LIMIT ?",
        project,
        kind,
        limit,
      ),
    countOpen: () =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM questions WHERE state = 'open'")?.n ?? 0,
    listToForget: (settledBefore) => db.all<{ id: string }>(toForgetSql, settledBefore).map(({ id }) => id),
    settle: (id, { state, verdict, answer, answerer, note, at }) =>
      db.run(
        `UPDATE questions SET state = ?, verdict = ?, answer = ?, place = ?, answered_by = ?, note = ?, settled_at = ?
         WHERE id = ? AND state = 'open'`,
        state,
        verdict,
        toJson(answer),
        answerer?.place,
        answerer?.by,
        note,
        at,
        id,
      ).changes === 1,
    recordVerdict: (id, verdict, note) =>
      db.run(
        "UPDATE questions SET verdict = ?, note = ? WHERE id = ? AND verdict = 'sent'",
        verdict,
        note,
        id,
      ).changes === 1,
    markDelivered: (id, at) =>
      db.run("UPDATE questions SET handed_at = ? WHERE id = ? AND handed_at IS NULL", at, id).changes === 1,
  };
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function read(row: Row): QuestionRow {
  for (const column of json) row[column] = row[column] === null ? null : parseJson(row[column] as string);
  row.isExact = row.isExact === 1;
  return row as unknown as QuestionRow;
}

function readBrief(row: Brief): QuestionBrief {
  return { ...row, isExact: row.isExact === 1 };
}
