import type { TitledQuestion } from "../domain/ask/make-card.ts";
import type { Prompt, QuestionKind, Subject } from "../domain/ask/question.ts";
import { makeLaneSpans } from "../domain/story/lane-spans.ts";
import { flattenToLine } from "../domain/story/to-line.ts";
import type { LaneView, StripView, WeekView } from "../protocol/today.ts";
import { dayMs } from "../shared/clock.ts";
import { parseJson } from "../shared/json.ts";
import type { Database } from "../sqlite/sqlite.ts";

export interface StripJob {
  from: number;
  to: number;
  now: number;
  /** Sessions whose process runs. */
  live: string[];
}

/** Of each kind, over all lanes: a day beyond this cannot be read as a picture. */
const maxRows = 3_000;
/** A question older than this, even if it is open, no longer makes its agent wait. */
const maxWaitMs = 7 * dayMs;

interface SessionOfLane {
  id: string;
  agent: string;
  project: string;
  startedAt: number;
  lastEventAt: number;
}

type TurnOfLane = LaneView["turns"][number];

interface QuestionOfLane {
  id: string;
  kind: QuestionKind;
  agent: string;
  project: string;
  toolName: string | null;
  prompts: string;
  subject: string | null;
  host: string | null;
  state: string;
  at: number;
  settledAt: number | null;
}

/** The title of a question, by the rules of its host. */
type MakeQuestionTitle = (question: TitledQuestion, host: string | undefined) => string;

/** The agents of a period, with their states, turns, questions and notes. */
export function readStrip(db: Database, job: StripJob, makeTitle: MakeQuestionTitle): StripView {
  const { from, to, now, live } = job;
  const isRunning = new Set(live);
  const sessions = db
    .all<SessionOfLane>(
      `SELECT s.id, a.name AS agent, a.project_name AS project, s.started_at AS startedAt, s.last_event_at AS lastEventAt
       FROM sessions s JOIN agents a ON a.id = s.agent_id
       WHERE s.started_at < ? AND (s.last_event_at >= ? OR s.status = 'active') ORDER BY s.started_at LIMIT ${maxRows}`,
      to,
      from,
    )
    .filter(({ id, lastEventAt }) => lastEventAt >= from || isRunning.has(id));
  const questions = readQuestions(db, job);
  const agents = Map.groupBy(sessions, ({ agent }) => agent);
  const asked = Map.groupBy(questions, ({ agent }) => agent);
  let turnCount = 0;
  let noteCount = 0;
  const lanes = [...new Set([...agents.keys(), ...asked.keys()])].map((agent): LaneView => {
    const own = agents.get(agent) ?? [];
    const endOf = (session: SessionOfLane): number => (isRunning.has(session.id) ? now : session.lastEventAt);
    const turns = own.flatMap((session) => readTurns(db, session, job, maxRows - turnCount));
    turnCount += turns.length;
    const notes = own.flatMap(({ id }) => readNotes(db, id, job, maxRows - noteCount));
    noteCount += notes.length;
    const ownQuestions = asked.get(agent) ?? [];
    const ends = new Map(own.map((session) => [session.id, endOf(session)]));
    return {
      agent,
      project: own.at(-1)?.project ?? ownQuestions.at(-1)?.project ?? "",
      isLive: own.some(({ id }) => isRunning.has(id)),
      spans: makeLaneSpans({
        present: own.map((session) => ({ from: session.startedAt, to: endOf(session) })),
        turns: turns.map((turn) => ({ from: turn.from, to: turn.to ?? ends.get(turn.session) ?? turn.from })),
        waits: ownQuestions.map(({ at, settledAt }) => ({ from: at, to: settledAt ?? now })),
        shown: { from, to },
        now,
      }),
      turns,
      questions: ownQuestions
        .filter(({ at }) => at >= from)
        .map(({ id, at, settledAt, state, host, ...question }) => {
          const { kind, toolName } = question;
          const prompts = parseJson(question.prompts) as Prompt[];
          const subject = question.subject === null ? null : (parseJson(question.subject) as Subject);
          const title = makeTitle({ kind, toolName, prompts, subject }, host ?? undefined);
          return { id, at, settledAt, state, title: flattenToLine(title) };
        }),
      notes,
    };
  });
  return {
    lanes: lanes.toSorted((a, b) => a.project.localeCompare(b.project) || a.agent.localeCompare(b.agent)),
    isCut: Math.max(turnCount, noteCount, questions.length, sessions.length) >= maxRows,
  };
}

function readQuestions(db: Database, { from, to }: StripJob): QuestionOfLane[] {
  return db.all<QuestionOfLane>(
    `SELECT q.id, q.kind, q.agent, q.project_name AS project, q.tool_name AS toolName, q.prompts, q.subject, s.host, q.state,
       q.created_at AS at, q.settled_at AS settledAt
     FROM questions q LEFT JOIN sessions s ON s.id = q.session_id
     WHERE q.created_at BETWEEN ? AND ? AND (q.created_at >= ? OR coalesce(q.settled_at, ?) >= ?)
     ORDER BY q.created_at LIMIT ${maxRows}`,
    from - maxWaitMs,
    to - 1,
    from,
    to,
    from,
  );
}

function readTurns(db: Database, { id }: SessionOfLane, { from, to }: StripJob, limit: number): TurnOfLane[] {
  const turns = db.all<TurnOfLane & { id: string }>(
    `SELECT id, session_id AS session, number, started_at AS "from", ended_at AS "to", '' AS asked, outcome FROM turns
     WHERE session_id = ? AND started_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY number LIMIT ?`,
    id,
    to,
    to,
    from,
    limit,
  );
  if (turns.length === 0) return turns;
  const prompts = db.all<{ turnId: string; text: string; machine: number }>(
    `SELECT turn_id AS turnId, substr(text, 1, 800) AS text, machine FROM prompts
     WHERE session_id = ? AND occurred_at < ? ORDER BY number`,
    id,
    to,
  );
  const ofTurn = Map.groupBy(prompts, ({ turnId }) => turnId);
  return turns.map(({ id: turnId, ...turn }) => {
    const own = ofTurn.get(turnId) ?? [];
    const first = own.find(({ machine }) => machine === 0) ?? own[0];
    return { ...turn, asked: flattenToLine(first?.text ?? "") };
  });
}

function readNotes(
  db: Database,
  sessionId: string,
  { from, to }: StripJob,
  limit: number,
): LaneView["notes"] {
  return db.all<LaneView["notes"][number]>(
    `SELECT id, created_at AS at, type, title FROM observations
     WHERE session_id = ? AND created_at >= ? AND created_at < ? ORDER BY created_at LIMIT ?`,
    sessionId,
    from,
    to,
    limit,
  );
}

/** Totals of each day between two edges. */
export function readWeek(
  db: Database,
  { edges, now, live }: Pick<StripJob, "now" | "live"> & { edges: number[] },
): WeekView {
  const days = edges.slice(1).map((to, index) => {
    const from = edges[index] ?? to;
    const { lanes } = readStrip(db, { from, to, now, live }, () => "");
    const active = lanes.filter(({ turns, questions }) => turns.length + questions.length > 0);
    const count = (of: "turns" | "questions" | "notes"): number =>
      lanes.reduce((sum, lane) => sum + lane[of].length, 0);
    const spend = (state: string): number =>
      lanes
        .flatMap(({ spans }) => spans)
        .reduce((sum, span) => sum + (span.state === state ? (span.to ?? now) - span.from : 0), 0);
    return {
      from,
      to,
      agents: active.length,
      turns: count("turns"),
      questions: count("questions"),
      notes: count("notes"),
      workingMs: spend("working"),
      waitingMs: spend("waiting"),
    };
  });
  return { days };
}
