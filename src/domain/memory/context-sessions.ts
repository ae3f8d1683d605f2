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

/** One row per session that changed something: its request and its result, or the one that is clear by itself. */
export function listDiary(sessions: readonly ContextSession[]): SessionRow[] {
  const told = new Map<string, SessionRow>();
  for (const session of sessions) {
    const request = session.request.replace(
      /^(?:plan|fix|feature|task|issue)\s*(?:\d+)?:\s+(?=\S.{10})/i,
      "",
    );
    const row = makeDiaryRow({ ...session, request });
    if (row && !told.has(row.text)) told.set(row.text, row);
  }
  return [...told.values()];
}

function makeDiaryRow(session: ContextSession): SessionRow | undefined {
  const { request, filesModified } = session;
  const isClear =
    !isChore(request) && !pasted.test(request) && !chatty.test(request) && namesItsSubject(request);
  const result = findResult(session);
  if (result === undefined || (isClear && result.common === 0))
    return isClear && filesModified.length > 0
      ? makeSessionRow("diary", session, (limit) => shortenTitle(request, Math.min(limit, 140)))
      : undefined;
  const { text, isLearned, isRepeated } = result;
  if (!isClear && (isLearned || subjectless.test(text))) return undefined;
  if (!isClear || isRepeated)
    return makeSessionRow("diary", session, (limit) => shortenTitle(text, Math.min(limit, 140)));
  return makeSessionRow(
    "diary",
    session,
    (limit) =>
      `${shortenTitle(request, Math.min(limit * 0.5, 100))} → ${shortenTitle(text, Math.min(limit * 0.6, 130))}`,
  );
}

/** A command or a message of the host, not a request. */
const pasted = /^(?:\/[\w:-]+\s*[\w-]{0,20}\s*\d*$|operation stopped\b)/i;
const minResult = 0.75;
/** Openings of requests that are not clear by themselves. */
const chatty =
  /^(?:i|we|you|let['’]?s|can|could|should|why|how|what|when|while|where|have|is|are|do|does|please|our|the|all|some|any|now|just|so|this|that|here|there|seeing|look|read|review|check)\b|[?？]$/i;

/** A step of the work rather than the work. */
const subjectless =
  /^(?:`|(?:added|created|removed|updated|replaced|renamed|moved|add nolint|proceeding)\b)/i;

interface Result {
  text: string;
  /** Number of words in common with the request. */
  common: number;
  /** It adds nothing to the request. */
  isRepeated: boolean;
  /** A finding, not work: it needs the request. */
  isLearned: boolean;
}

/** Share of the request's words from which on the result repeats it. */
const repeats = 0.6;

/** The result that is closest to the request and understood by itself, work before findings. */
function findResult({ request, completed, learned }: ContextSession): Result | undefined {
  const asked = contentWords(request);
  const findBest = (list: string, isLearned: boolean): Result | undefined =>
    list
      .split(" · ")
      .filter((text) => text.length >= 25 && !text.endsWith("…") && judgeWording(text, "result") >= minResult)
      .map((text) => {
        const common = countCommon(asked, contentWords(text));
        return { text, common, isLearned, isRepeated: common >= repeats * asked.size };
      })
      .toSorted((a, b) => b.common - a.common)[0];
  const work = findBest(completed, false);
  if (work && work.common > 0) return work;
  const finding = findBest(learned, true);
  return finding && finding.common > 0 ? finding : work;
}

function countCommon(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}

function makeSessionRow(
  section: SessionRow["section"],
  session: ContextSession,
  shorten: SessionRow["shorten"],
): SessionRow {
  const { id, createdAt, worktree } = session;
  return { section, id, kind: "session", text: shorten(Infinity), shorten, createdAt, worktree };
}
