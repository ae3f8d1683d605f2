import type { NoteType, TurnRecord } from "../turn-record.ts";
import { canLead, canOpen, canTitle } from "./can-lead.ts";
import { baseName, filesModified } from "./files.ts";
import { chooseNoteType } from "./note-type.ts";
import { isShortMessage, type PickedNote, sumWorth } from "./pick.ts";
import { makeQuestionTitle } from "./question-title.ts";
import { makeTitleRank } from "./rank-title.ts";
import { makeRequestTitle } from "./request-title.ts";
import type { Scored } from "./scorer.ts";
import { isScratchOf } from "./summary.ts";
import { makeTitle, maxWhole } from "./title.ts";

/** The title of a note of this type, from the statement that sums it up best. */
export function makeNoteTitle(
  turn: TurnRecord,
  scored: readonly Scored[],
  type: NoteType,
  titled: Scored,
): string {
  return titleByRequest(turn, scored, type, titled) ?? titleByFile(turn, type, titled);
}

/** Finished work is named by its request, an answer by its question; undefined if these do not name the subject. */
function titleByRequest(
  turn: TurnRecord,
  scored: readonly Scored[],
  type: NoteType,
  titled: Scored,
): string | undefined {
  if (titled.role === "user") return undefined;
  if (workTypes.has(type)) return makeRequestTitle(turn);
  const message = scored.filter((one) => isOfMessage(one, titled));
  return titled.role === "final" ? makeQuestionTitle(turn, message, titled) : undefined;
}

/** A report that names no code is about the file that was edited, if it is only one. */
function titleByFile(turn: TurnRecord, type: NoteType, titled: Scored): string {
  const title = makeTitle(titled);
  const [file, ...others] = filesModified(turn.steps).filter(
    (one) => !testFile.test(one) && !isScratchOf(turn, one),
  );
  if (!file || others.length > 0 || titled.role === "user" || !workTypes.has(type) || namesCode.test(title))
    return title;
  const named = `${baseName(file)}: ${title}`;
  return named.length <= maxWhole ? named : title;
}

const testFile = /(?:^|[/._-])(?:tests?|specs?|fixtures?)(?:[/._-]|$)/i;
const namesCode = /`|[a-z][A-Z]|\w_\w|\w\.\w{2,4}\b|^[^:]{2,40}: /;

/** Whether one of the statements makes a clear title. */
export function hasClearTitle(turn: TurnRecord, scored: readonly Scored[], pick: PickedNote): boolean {
  const [{ rank }] = rankTitles(turn, scored, pick);
  return rank >= (isShortMessage(pick.main) ? minShortRank : minTitleRank);
}

/** Whether a note has a clear title, or so many findings that it is kept even without one. */
export function isNameable(turn: TurnRecord, scored: readonly Scored[], pick: PickedNote): boolean {
  const [{ one }] = rankTitles(turn, scored, pick);
  return (
    hasClearTitle(turn, scored, pick) ||
    sumWorth(scored) >= manyFindings ||
    titleByRequest(turn, scored, chooseNoteType(turn, pick.main, scored), one) !== undefined
  );
}

const manyFindings = 4;
/** Most titles below this rank do not say what their note is. */
const minTitleRank = 1.9;
/** The same for a short message, which the note contains in full. */
const minShortRank = 1;

/** The statements of the message that may be the title, best first. */
export function rankTitles(
  turn: TurnRecord,
  scored: readonly Scored[],
  { main }: PickedNote,
): [RankedTitle, ...RankedTitle[]] {
  const message = scored.filter((one) => isOfMessage(one, main));
  const rank = makeTitleRank({ message, request: turn.isMachine ? "" : turn.prompt });
  const opening = message.filter(({ place }) => place !== "heading").slice(0, openingLines);
  const [best = { one: main, rank: rank(main) }, ...others] = message
    .filter((one) => one === main || canLead(one) || canTitle(one) || (opening.includes(one) && canOpen(one)))
    .map((one) => ({ one, rank: rank(one) }))
    .toSorted((a, b) => b.rank - a.rank);
  return [best, ...others];
}

interface RankedTitle {
  one: Scored;
  rank: number;
}

/** The first statements of a report often sum it up, even if they are not worth keeping on their own. */
const openingLines = 4;

const workTypes: ReadonlySet<NoteType> = new Set(["feature", "change", "refactor", "bugfix"]);

/** Whether two statements are of one message. */
export function isOfMessage(a: Scored, b: Scored): boolean {
  return a.role === b.role && a.step === b.step;
}
