import { shortenTitle } from "./distil/title.ts";
import { isChore, judgeWording, namesItsSubject } from "./note-score.ts";
import { contentWords, isGitState, isUnfinished, listOpenEnds } from "./open-ends.ts";

/** A summary of an earlier session. */
export interface ContextSession {
  id: string;
  request: string;
  learned: string;
  completed: string;
  nextSteps: string;
  filesModified: readonly string[];
  createdAt: number;
  worktree: string | null;
}

/** A row about a session. */
export interface SessionRow {
  section: "open" | "diary";
  id: string;
  kind: "session";
  text: string;
  shorten(limit: number): string;
  createdAt: number;
  worktree: string | null;
}

/** Open ends of older sessions have usually been resolved. */
const maxOpenAgeMs = 30 * 24 * 3_600_000;

const maxOpenOfSession = 2;
/** An interrupted request counts while its session is one of the last few. */
const maxUnfinishedAge = 5;

/** Open ends of this checkout first, then by age, newest first. The state of a branch counts only in its last session. */
export function listOpen(sessions: readonly ContextSession[], latestAt: number): SessionRow[] {
  const lastOf = new Map(sessions.toReversed().map((session) => [session.worktree, session]));
  return sessions
    .filter(({ createdAt }) => latestAt - createdAt <= maxOpenAgeMs)
    .toSorted((a, b) => Number(a.worktree !== null) - Number(b.worktree !== null))
    .flatMap((session) =>
      listOpenEnds(session.nextSteps)
        .filter((openEnd) => !isGitState(openEnd) || lastOf.get(session.worktree) === session)
        .filter((openEnd) => !isUnfinished(openEnd) || sessions.indexOf(session) < maxUnfinishedAge)
        .slice(0, maxOpenOfSession)
        .map((openEnd) =>
          makeSessionRow("open", session, (limit) =>
            shortenTitle(openEnd.replace(/[.。]$/u, ""), Math.min(limit, 200)),
          ),
        ),
    );
}

/** One row per session that changed something; continued sessions of the same name appear once. */
export function listDiary(sessions: readonly ContextSession[]): SessionRow[] {
  const told = new Map<string, SessionRow>();
  for (const session of sessions) {
    const { request, filesModified } = session;
    const result = findResult(session);
    if (isChore(request) || pasted.test(request) || !namesItsSubject(request) || told.has(request)) continue;
    if (result === undefined && (filesModified.length === 0 || chatty.test(request))) continue;
    const shorten = (limit: number): string =>
      result === undefined
        ? shortenTitle(request, Math.min(limit, 140))
        : `${shortenTitle(request, Math.min(limit * 0.4, 100))} → ${shortenTitle(result, Math.min(limit * 0.6, 130))}`;
    const row = makeSessionRow("diary", session, shorten);
    if (result === undefined && row.text.includes("…")) continue;
    told.set(request, row);
  }
  return [...told.values()];
}

/** A command or a message of the host, not a request. */
const pasted = /^(?:\/[\w:-]+\s*[\w-]{0,20}\s*\d*$|operation stopped\b)/i;
const minResult = 0.75;
/** Openings of requests that are only informative together with a result. */
const chatty =
  /^(?:i|we|you|let['’]?s|can|could|should|why|how|what|have|is|are|do|does|please|our|the|all|now|just|so|this|that|here|there|seeing)\b|[?？]$/i;

/** The result that matches the request and is best understood by itself, if there is one. */
function findResult({ request, completed, learned }: ContextSession): string | undefined {
  const asked = contentWords(request);
  return [completed, learned].flatMap((list) =>
    list
      .split(" · ")
      .filter((text) => text.length >= 30 && addsTo(asked, contentWords(text)))
      .map((text) => ({ text, rank: judgeWording(text, "result") }))
      .filter(({ rank }) => rank >= minResult)
      .toSorted((a, b) => b.rank - a.rank || b.text.length - a.text.length)
      .slice(0, 1),
  )[0]?.text;
}

/** Whether a result is about the same thing as the request without merely repeating it. */
function addsTo(asked: ReadonlySet<string>, told: ReadonlySet<string>): boolean {
  const words = [...told];
  return words.some((word) => asked.has(word)) && words.some((word) => !asked.has(word));
}

function makeSessionRow(
  section: SessionRow["section"],
  session: ContextSession,
  shorten: SessionRow["shorten"],
): SessionRow {
  const { id, createdAt, worktree } = session;
  return { section, id, kind: "session", text: shorten(Infinity), shorten, createdAt, worktree };
}
