import { shortenTitle } from "./distil/title.ts";
import { isChore, isHeadline, judgeWording, namesItsSubject } from "./note-score.ts";
import { contentWords, isGitState, isRecorded, isUnfinished, splitOpenEnds } from "./open-ends.ts";

/** A summary of an earlier session. */
export interface ContextSession {
  id: string;
  request: string;
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
/** Number of later sessions after which an open end has usually been resolved, or nobody wants it any more. */
const maxLater = { unfinished: 3, stated: 6, recorded: 10 };

function ageLimit(openEnd: string): number {
  if (isUnfinished(openEnd)) return maxLater.unfinished;
  return isRecorded(openEnd) ? maxLater.recorded : maxLater.stated;
}

/** Talk with the user, and statements that need the message around them. */
const ofTheTalk =
  /\b(?:your|you|you['’](?:re|ll|ve)) (?:other )?(?:question|point|idea|will need|need|ready)\b|\byou['’]ll need\b|\bwhen you['’]re\b|^(?:about|once|after|as)\b|\b(?:to track|cancelled|in the diff|bug-fix pr|this pr)\b/i;
/** A chore in the repository or the issue tracker, which the next session does anyway or not at all. */
const forTracker =
  /^Not finished: (?:\S+ ){0,3}(?:log|file|raise|create|open|switch|checkout|rebase|merge|push|commit)\b.{0,30}\b(?:issues?|tickets?|branch|pr|pull request|main|commits?)\b/i;
const vague = /^Not finished: (?:it|this|that|they|these|those)\b/i;
const minWords = 4;

/** Whether an interrupted prompt reports or explains something: it may have been answered. An instruction names work. */
function isRemark(prompt: string): boolean {
  return statement.test(prompt) && !isHeadline(prompt.replace(/[.!\s]+$/, ""));
}

const statement =
  /^(?:i|we|you|there)\b|\b(?:is|are|was|were|isn['’]t|fails?|failing|failed|seems?|looks?)\b/i;

/** Whether an open end is understood without its session. */
function isClearEnd(openEnd: string): boolean {
  if (ofTheTalk.test(openEnd) || forTracker.test(openEnd) || vague.test(openEnd)) return false;
  if (isUnfinished(openEnd) && isRemark(openEnd.replace(/^[^:]*:\s*/, ""))) return false;
  return isGitState(openEnd) || contentWords(openEnd).size >= minWords;
}

/** Open ends of this checkout first, then by age, newest first. The state of a branch counts only in its last session. */
export function listOpen(sessions: readonly ContextSession[], latestAt: number): SessionRow[] {
  const lastOf = new Map(sessions.toReversed().map((session) => [session.worktree, session]));
  return sessions
    .filter(({ createdAt }) => latestAt - createdAt <= maxOpenAgeMs)
    .toSorted((a, b) => Number(a.worktree !== null) - Number(b.worktree !== null))
    .flatMap((session) =>
      splitOpenEnds(session.nextSteps)
        .filter((openEnd) => !isGitState(openEnd) || lastOf.get(session.worktree) === session)
        .filter((openEnd) => isClearEnd(openEnd) && sessions.indexOf(session) < ageLimit(openEnd))
        .slice(0, maxOpenOfSession)
        .map((openEnd) =>
          makeSessionRow("open", session, (limit) =>
            shortenTitle(openEnd.replace(/[.。]$/u, ""), Math.min(limit, 200)),
          ),
        ),
    );
}

/** One row per session that changed something: its request and its result, or the one that is clear on its own. */
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
  const write = (text: string): SessionRow =>
    makeSessionRow("diary", session, (limit) => shortenTitle(text, Math.min(limit, 140)));
  const isClear =
    !isChore(request) && !pasted.test(request) && !chatty.test(request) && namesItsSubject(request);
  // "Issue 412 analysis", a title by the host: not what was done.
  const isName = isHeadline(request) || contentWords(request).size >= minNameWords;
  const asked = isClear && isName && filesModified.length > 0 ? write(request) : undefined;
  const result = findResult(session);
  if (result === undefined) return asked;
  const { text, common, isRepeated } = result;
  if (common === 0 && isClear) return isHeadline(text) && !isHeadline(request) ? write(text) : asked;
  // A sentence of the report is only one of its points; the name of the work covers all of it.
  if (!isHeadline(text) && (!isClear || judgeWording(text, "result") < clearResult)) return asked;
  if (!isClear || isRepeated) return write(text);
  return makeSessionRow(
    "diary",
    session,
    (limit) =>
      `${shortenTitle(request, Math.min(limit * 0.5, 100))} → ${shortenTitle(text, Math.min(limit * 0.6, 130))}`,
  );
}

const minNameWords = 4;

/** A command or a message of the host, not a request. */
const pasted = /^(?:\/[\w:-]+\s*[\w-]{0,20}\s*\d*$|operation stopped\b)/i;
/** Work on the style of the code says nothing about the session. */
const ofStyle =
  /\b(?:nolint|lint(?:er|ing)?|staticcheck|eslint|golangci|clippy|typos?|formatting|whitespace|unused|warnings)\b/i;
const minResult = 0.75;
/** For a sentence of the report, which is not the name of the work. */
const clearResult = 1;
/** Openings of requests that are not clear on their own. */
const chatty =
  /^(?:i|we|you|let['’]?s|can|could|should|why|how|what|when|while|where|have|is|are|do|does|please|our|the|all|some|any|now|just|so|this|that|it|thats|that['’]s|here|there|seeing|look|read|review|check)\b|[?？]$/i;

interface Result {
  text: string;
  /** Number of words in common with the request. */
  common: number;
  /** It adds nothing to the request. */
  isRepeated: boolean;
}

/** From this share of the request's words on, the result repeats the request. */
const repeats = 0.6;

/** The result that is closest to the request and understood on its own. */
function findResult({ request, completed }: ContextSession): Result | undefined {
  const asked = contentWords(request);
  return completed
    .split(" · ")
    .filter((text) => text.length >= 25 && !text.endsWith("…") && !ofStyle.test(text))
    .filter((text) => judgeWording(text, "result") >= minResult)
    .map((text) => {
      const common = countCommon(asked, contentWords(text));
      return { text, common, isRepeated: common >= repeats * asked.size };
    })
    .toSorted((a, b) => b.common - a.common || Number(isHeadline(b.text)) - Number(isHeadline(a.text)))[0];
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
