import { clip } from "../../shared/text.ts";
import { joinFiles, reportsWork } from "./distil/summary.ts";
import { joinTitles, shortenTitle } from "./distil/title.ts";
import { makeRowText } from "./row-text.ts";
import { isHeadline, isLastingChoice, isWork, judgeWording } from "./note-score.ts";
import { isClosed, joinOpenEnds, type LaterTurn, listFinalOpenEnds, splitOpenEnds } from "./open-ends.ts";
import type { TurnSummary } from "./turn-record.ts";

export interface SessionTurn {
  /** Empty for a prompt that the host wrote. */
  prompt: string;
  final: string;
  summary: TurnSummary | undefined;
  notes: readonly { type: string; title: string; narrative?: string; provenance?: string }[];
  outcome: string | null;
}

interface SessionRecord {
  /** The host's title of the session. */
  title: string | null;
  /** Oldest first. */
  turns: readonly SessionTurn[];
  /** Turns of later sessions of the project, oldest first. */
  later: readonly LaterTurn[];
}

/** Open ends count only in the last turns of a session: earlier ones were resolved as the session continued. */
const lastTurns = 3;
const maxTitles = 5;

/** The eight fields of a session's summary, each correct or empty; undefined if there is nothing to report. */
export function summariseSession({ title, turns, later }: SessionRecord): TurnSummary | undefined {
  const summaries = turns.flatMap(({ summary }) => summary ?? []);
  if (summaries.length === 0) return undefined;
  const notes = turns.flatMap((turn) => turn.notes);
  const decided = joinLatest(notes.filter(isDecision));
  const last = turns.at(-1);
  return {
    request: title ?? findRequest(turns.map(({ prompt }) => prompt)),
    investigated: joinFiles(joinLists(summaries, "filesRead")),
    learned: joinLatest(notes.filter(isFinding)),
    completed: listCompleted(notes, summaries),
    nextSteps: joinOpenEnds(listOpen(turns, later)),
    notes: clip(
      [
        decided === "" ? "" : `Decided: ${decided}.`,
        last?.outcome === "interrupted" ? "The last turn was interrupted." : "",
        last?.outcome === "failed" ? "The last turn failed." : "",
      ]
        .filter(Boolean)
        .join(" "),
      600,
    ),
    filesRead: joinLists(summaries, "filesRead").slice(0, 20),
    filesModified: joinLists(summaries, "filesModified").slice(0, 20),
  };
}

type NoteTitle = SessionTurn["notes"][number];

/** The latest notes as statements, each complete. */
function joinLatest(notes: readonly NoteTitle[]): string {
  return joinTitles(
    notes
      .map(textOf)
      .filter((text) => !text.includes("…"))
      .slice(-maxTitles),
  );
}

/** The complete sentence of a shortened title, because half a sentence can mean something else. For work, the title itself. */
function textOf({ type, title, narrative }: NoteTitle): string {
  return narrative === undefined || isWork(type) ? title : makeRowText({ title, narrative });
}

const learnedTypes: ReadonlySet<string> = new Set(["discovery", "gotcha", "problem-solution"]);

/** Whether a finding is one: agents also list options, results of a run and edits in the same words. */
function isFinding(recordInjection: NoteTitle): boolean {
  const { type, provenance } = recordInjection;
  if (!learnedTypes.has(type)) return false;
  const text = textOf(recordInjection);
  return (
    provenance !== "distil" || (judgeWording(text) >= minWording && !isHeadline(text) && !reportsWork(text))
  );
}

/** Wording of a statement that names its subject and is valid beyond its turn. */
const minWording = 0.95;

/** Whether it is a choice or a rule, not a request to continue. */
function isDecision({ type, title, provenance }: NoteTitle): boolean {
  if (type !== "decision" && type !== "preference") return false;
  return (provenance !== "distil" && provenance !== "answer") || isLastingChoice(title);
}

/** Finished work by the names of commits and plans; else by what the agent reported last. */
function listCompleted(notes: readonly NoteTitle[], summaries: readonly TurnSummary[]): string {
  const work = notes.filter(({ type }) => isWork(type));
  const findByName = work.filter(({ title, provenance }) => provenance !== "distil" || isHeadline(title));
  if (findByName.length > 0) return joinLatest(findByName);
  const reported = work.filter(
    ({ title }) => reportsWork(title) && judgeWording(title, "result") >= minResult,
  );
  if (reported.length > 0) return joinLatest(reported);
  return summaries.findLast(({ completed }) => completed && !completed.includes("…"))?.completed ?? "";
}

const minResult = 0.75;

function joinLists(summaries: readonly TurnSummary[], list: "filesRead" | "filesModified"): string[] {
  return [...new Set(summaries.flatMap((summary) => summary[list]))];
}

/** Shorter prompts usually continue something or answer a question. */
const substantial = 20;
const filler =
  /^(?:(?:hi|hey|hello|ok(?:ay)?|please|so|well|alright|hm+|great|thanks?|continue|go on|proceed|yes|yep|yeah|sure)\b[\s,.!:-]*)+/i;

/** A message of the host that was sent back as a prompt. */
const fromHost = /^operation stopped by hook\b/i;
/** Steps of the routine, choices from a list and talk that name no goal. */
const errand =
  /^(?:(?:let['’]?s|please|can you|could you|now|first|also|and|then|i think) )*(?:commit|push|merge|rebase|pull|fetch|(?:get|go|switch|be) back to|switch to|checkout|check out|open a pr|\d+ (?:seems?|looks?|is|please)|so how did|what['’]?s next|where were we)\b/i;

/** The first prompt that states the session's topic, as one line. */
export function findRequest(prompts: readonly string[]): string {
  const cleaned = prompts.map(cleanPrompt).filter((prompt) => !fromHost.test(prompt));
  const goals = cleaned.filter((prompt) => prompt.length >= substantial);
  const request = goals.find((prompt) => !errand.test(prompt)) ?? goals[0] ?? cleaned.find(Boolean) ?? "";
  return shortenTitle(request, 160);
}

/**
 * Removes pasted blocks, images, file mentions and polite openings; of several paragraphs it keeps the first with a
 * request.
 */
function cleanPrompt(prompt: string): string {
  const paragraphs = prompt
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/<([\w-]+)[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/\[(?:image|pasted)[^\]]*\]/gi, " ")
    .replace(/https?:\/\/\S*?\/(issues|pull)\/(\d+)\S*/g, (_, kind, number) =>
      kind === "pull" ? `PR ${number}` : `issue ${number}`,
    )
    .replace(/https?:\/\/\S+/g, " ")
    .split(/\n\s*\n|\n(?=[-*#\d])/)
    .map((text) =>
      text
        .replace(/^\s*(?:#+|[-*]|\d+[.)]|q:)\s*/i, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((text) => /\p{L}{2}/u.test(text) && !/^\/[\w:-]+$|^you are an? /i.test(text));
  // "Implement the following plan:" is not informative; the heading of the plan is.
  const whole = paragraphs.filter((text) => !/\b(?:following|below|plan)\b[^:]*:$/i.test(text));
  const at = Math.max(
    0,
    whole.findIndex((text) => text.length >= substantial),
  );
  // "Some things about the export:" is not informative without the first of them.
  const first =
    /[:：]$/u.test(whole[at] ?? "") && whole[at + 1]
      ? `${whole[at]} ${whole[at + 1]}`
      : (whole[at] ?? paragraphs[0] ?? "");
  const bare = first.replace(filler, "").replace(/^\/\S+\s+/, "");
  return bare.length >= 8 ? bare.charAt(0).toUpperCase() + bare.slice(1) : first;
}

/** Open ends of the last turns that nothing later closed, the last turn's first. */
function listOpen(turns: readonly SessionTurn[], later: readonly LaterTurn[]): string[] {
  const from = Math.max(0, turns.length - lastTurns);
  const found = turns
    .slice(from)
    .map((turn, index) => {
      const following = turns.slice(from + index + 1).map(
        ({ prompt, final, notes }, place): LaterTurn => ({
          prompt,
          told: [final, ...notes.map(({ title }) => title)].join("\n"),
          isReply: place === 0,
        }),
      );
      const { prompt, summary } = turn;
      const hasEdits = (summary?.filesModified.length ?? 0) > 0;
      const ends =
        following.length > 0 ? [] : listFinalOpenEnds({ ...turn, hasEdits }, findRequest([prompt]));
      return [...ends, ...splitOpenEnds(summary?.nextSteps ?? "")].filter(
        (openEnd) => !isClosed(openEnd, [...following, ...later]),
      );
    })
    .toReversed();
  return [...new Set(found.flat())];
}
