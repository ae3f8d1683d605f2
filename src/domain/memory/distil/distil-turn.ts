import {
  type Distilled,
  type LooseFindings,
  noLooseFindings,
  type NoteType,
  type TurnRecord,
  type TurnSummary,
} from "../turn-record.ts";
import { makeAgreementNote } from "./agreement.ts";
import { makeAnswerNote, makeRefusalNote } from "./answers.ts";
import { type CommitNote, draftCommitNote, titleOfCommit, typeOfCommit } from "./commit-note.ts";
import { errorsAbout, listCommandFacts, listWorkarounds } from "./commands.ts";
import { type Commit, listCommits } from "./commits.ts";
import { listConcepts } from "./concepts.ts";
import { baseName, filesModified, filesRead, isEdit } from "./files.ts";
import { fileList, testing } from "./cues.ts";
import {
  isOfParagraph,
  listAsked,
  listFurther,
  listRequest,
  quoteUser,
  withCode,
  withReference,
} from "./note-facts.ts";
import { hasClearTitle, isNameable, isOfMessage, makeNoteTitle, rankTitles } from "./note-title.ts";
import { problem, repair, isAboutDocs, isTroubleTurn, chooseNoteType } from "./note-type.ts";
import { type Plan, readPlan, withReason } from "./plan.ts";
import {
  type PickedNote,
  isShortMessage,
  type PickLimits,
  pickLimits,
  pickDraft,
  pickLoose,
  pickRemarks,
  pickStatements,
  sumWorth,
} from "./pick.ts";
import { wordOverlap } from "./overlap.ts";
import { listRemovedNames } from "./removed-names.ts";
import type { Scored, Scorer } from "./scorer.ts";
import { clip } from "../../../shared/text.ts";
import { isOffer, isScratchOf, summariseTurn } from "./summary.ts";
import { makeTitle } from "./title.ts";

interface DistilContext {
  scorer: Scorer;
  /** The agent's last message before this turn: a bare "yes" replies to it. */
  previousFinal: string;
  promptEventId: string;
}

export interface DistilledNotes {
  notes: Distilled[];
  summary: TurnSummary | undefined;
  /** Code names that the turn reports as removed: earlier notes of the session about them are no longer valid. */
  removed: string[];
  loose: LooseFindings;
}

/**
 * Extracts the notes and the summary of a turn without a language model. A small trained model scores every sentence
 * for worth and kind; answers, refusals and agreements are structured data and follow rules.
 */
export function distilTurn(
  turn: TurnRecord,
  context: DistilContext,
  limits: PickLimits = pickLimits,
): DistilledNotes {
  const scored = context.scorer(turn, context.previousFinal);
  const chosen = pickStatements(scored, limits);
  const agreement = turn.isMachine
    ? undefined
    : makeAgreementNote({
        prompt: turn.prompt,
        previousFinal: context.previousFinal,
        reply: turn.steps.find((step) => step.kind === "say")?.text ?? turn.final,
        promptEventId: context.promptEventId,
      });
  // In a conversation about options, the reply to an answer is the next question.
  const isNextQuestion = agreement !== undefined && turn.steps.length === 0 && /[?？]/.test(turn.final);
  const picks = isNextQuestion ? chosen.filter((pick) => !isAgents(pick)) : chosen;
  const plan = turn.isMachine || !isFinishedWork(turn) ? undefined : readPlan(turn);
  const picked = plan ? notePlan(turn, scored, picks, plan) : noteWork(turn, scored, picks, context);
  const notes = [...(agreement ? [agreement] : []), ...picked];
  const summary = summariseTurn(turn, scored, notes);
  const hasReport =
    plan !== undefined ||
    picked.some(({ provenance }) => provenance === "commit") ||
    picks.some(
      (pick) =>
        isAgents(pick) && picked.some(({ sourceEvents }) => sourceEvents[0] !== context.promptEventId),
    );
  return {
    notes,
    summary,
    removed: turn.steps.some(isEdit) ? listRemovedNames(turn.final) : [],
    loose: hasReport
      ? noLooseFindings
      : {
          facts: [
            ...(turn.isMachine ? [] : pickRemarks(scored, picks).map((one) => quoteUser(turn, one))),
            ...pickLoose(scored, limits).map((one) => withReference(scored, one)),
            ...listWorkarounds(turn.steps),
          ],
          ...draftNote(turn, scored, limits),
        },
  };
}

function draftNote(
  turn: TurnRecord,
  scored: readonly Scored[],
  limits: PickLimits,
): Pick<LooseFindings, "draft"> {
  const pick = pickDraft(scored, limits);
  if (!pick) return {};
  const [{ rank: titleRank }] = rankTitles(turn, scored, pick);
  return { draft: { note: makeNote(turn, scored, pick, ""), findings: sumWorth(scored), titleRank } };
}

export function makeNote(
  turn: TurnRecord,
  scored: readonly Scored[],
  pick: PickedNote,
  promptEventId: string,
): Distilled {
  const { main } = pick;
  const step = turn.steps[main.step];
  if (main.role === "answer" && step?.kind === "answer") {
    const note = makeAnswerNote(step);
    // A dialog is about the work of its turn and seldom names it.
    return { ...note, facts: [...note.facts, ...listRequest(turn)] };
  }
  if (main.role === "denied" && step?.kind === "denied") return makeRefusalNote(step, makeTitle(main));
  const isFixed = main.kind === "cause" && isRepaired(turn, scored, main);
  const titled = main.role === "user" ? main : rankTitles(turn, scored, pick)[0].one;
  const told = narrate(turn, scored, pick, titled);
  const narrative = isFixed ? withFix(told, scored, main) : told;
  const isUsers = main.role === "user";
  const files = isUsers ? [] : filesAbout(turn, narrative);
  // A fixed defect must not read like a current one.
  const work = isFixed ? "bugfix" : chooseNoteType(turn, main, scored);
  const title = makeNoteTitle(turn, scored, work, titled);
  const type = workTypes.has(work) && restructures.test(title) ? "refactor" : work;
  return {
    type,
    title,
    narrative,
    facts: isUsers
      ? []
      : [
          ...listFurther(pick, scored, narrative),
          ...errorsAbout(turn.steps, narrative),
          ...listCommandFacts(turn),
          ...listAsked(turn, scored),
        ],
    concepts: listConcepts(narrative),
    filesRead: isUsers ? [] : filesRead(turn.steps).slice(0, 12),
    filesModified: files,
    sourceEvents: isUsers ? [promptEventId] : listToolEvents(turn),
    provenance: "distil",
    worth: main.useful * (0.5 + main.clear),
  };
}

const workTypes: ReadonlySet<NoteType> = new Set(["feature", "change"]);
/** A title such as "Inline the parser into its caller" is the request for a refactoring. */
const restructures =
  /^(?:inline|extract|rename|move|split|merge|consolidate|deduplicate|simplify|refactor|restructure|reorgani[sz]e|unify)\b/i;

/** The notes of a turn that may have committed its work: the commit message describes the work better than the report. */
function noteWork(
  turn: TurnRecord,
  scored: readonly Scored[],
  picks: readonly PickedNote[],
  context: DistilContext,
): Distilled[] {
  const commits = listCommits(turn.steps);
  const worthy = commits.flatMap((commit) => draftCommitNote(commit, turn, context.scorer) ?? []);
  const committed = worthy.toSorted((a, b) => b.worth - a.worth).slice(0, maxCommits);
  const [only] = worthy.length === 0 && commits.length === 1 && turn.steps.some(isEdit) ? commits : [];
  const notes: Distilled[] = [];
  const told = new Map<CommitNote, PickedNote[]>(committed.map((one) => [one, []]));
  for (const pick of picks) {
    const own = isAgents(pick) ? findClosest(committed, pick) : undefined;
    if (own) told.get(own)?.push(pick);
    else if (only || !isAgents(pick) || context.previousFinal === "" || isNameable(turn, scored, pick)) {
      const note = makeNote(turn, scored, pick, context.promptEventId);
      notes.push(only && isAgents(pick) ? nameByCommit(note, only, turn) : note);
    }
  }
  for (const [commit, reports] of told) notes.push(makeCommitNote(turn, scored, commit, reports));
  return notes;
}

/** A commit without a body still names the work of its turn. */
function nameByCommit(note: Distilled, commit: Commit, turn: TurnRecord): Distilled {
  const title = titleOfCommit(commit);
  return title === undefined ? note : { ...note, title, type: typeOfCommit(commit, turn) };
}

const maxCommits = 4;

function isAgents({ main }: PickedNote): boolean {
  return main.role === "final" || main.role === "say";
}

/** The commit that the report is about: the only one, or the one that shares most words with it. */
function findClosest(commits: readonly CommitNote[], { main, support }: PickedNote): CommitNote | undefined {
  const text = [main, ...support].map((one) => one.text).join(" ");
  return commits.toSorted((a, b) => wordOverlap(text, textOf(b)) - wordOverlap(text, textOf(a)))[0];
}

function textOf({ title, narrative }: { title: string; narrative: string }): string {
  return `${title} ${narrative}`;
}

function makeCommitNote(
  turn: TurnRecord,
  scored: readonly Scored[],
  { type, title, narrative, worth }: CommitNote,
  reports: readonly PickedNote[],
): Distilled {
  const said = reports.flatMap(({ main, support, further }) => [main, ...support, ...further]);
  return {
    type,
    title,
    narrative,
    facts: [
      ...listFurther({ further: said }, scored, narrative),
      ...errorsAbout(turn.steps, narrative),
      ...listCommandFacts(turn),
      ...listAsked(turn, scored),
    ],
    concepts: listConcepts(narrative),
    filesRead: filesRead(turn.steps).slice(0, 12),
    filesModified: filesAbout(turn, narrative),
    sourceEvents: listToolEvents(turn),
    provenance: "commit",
    worth: Math.min(commitWorth, 0.4 + worth / 5),
  };
}

const commitWorth = 0.9;

/**
 * One note for a plan that was carried out: why, from the plan, and what was done, from the report. A finding of its own
 * gets a second note.
 */
function notePlan(
  turn: TurnRecord,
  scored: readonly Scored[],
  picks: readonly PickedNote[],
  plan: Plan,
): Distilled[] {
  const findings = picks.filter(
    (pick) =>
      pick.main.role !== "user" &&
      pick.main.kind !== "feature" &&
      pick.main.kind !== "change" &&
      pick.main.useful >= planFinding &&
      (!isAgents(pick) || hasClearTitle(turn, scored, pick)),
  );
  const report = scored.filter(
    (one) => one.role === "final" && isReport(one) && !testing.test(one.text) && !fileList.test(one.text),
  );
  const narrative = clip([plan.context, ...report.map(withCode)].filter(Boolean).join(" "), maxNarrative);
  return [
    {
      type: plan.type === "feature" && isAboutDocs(turn) ? "change" : plan.type,
      title: plan.context === "" ? withReason(plan.title, narrative) : plan.title,
      narrative: narrative || plan.title,
      facts: [
        ...listFurther(
          { further: picks.flatMap(({ main, further }) => [main, ...further]) },
          scored,
          narrative,
        ),
        ...listCommandFacts(turn),
      ],
      concepts: listConcepts(narrative),
      filesRead: filesRead(turn.steps).slice(0, 12),
      filesModified: filesAbout(turn, ""),
      sourceEvents: listToolEvents(turn),
      provenance: "distil",
      worth: planWorth,
    },
    ...findings.slice(0, 1).map((pick) => makeNote(turn, scored, pick, "")),
  ];
}

/** Minimum probability that a finding beside the plan is useful. */
const planFinding = 0.8;
const planWorth = 0.9;

function isFinishedWork({ outcome, steps }: TurnRecord): boolean {
  return outcome === "completed" && steps.some(isEdit);
}

/** Whether the statement describes, in the present tense, a defect that was fixed in this turn. */
function isRepaired(turn: TurnRecord, scored: readonly Scored[], cause: Scored): boolean {
  const { text, role } = cause;
  return (
    role === "final" &&
    turn.outcome === "completed" &&
    turn.steps.some(isEdit) &&
    isTroubleTurn(turn) &&
    problem.test(text) &&
    !repair.test(text) &&
    !isPast.test(text) &&
    scored.some((one) => isOfMessage(one, cause) && one !== cause && /^(?:the )?fix(?:ed)?\b/i.test(one.text))
  );
}

const isPast =
  /\b(?:was|were|used|did|didn'?t|had|caused|failed|missed|already|separate(?:ly)?|passes|works)\b/i;

/** Appends the statement of the final message that says how the defect was fixed. */
function withFix(narrative: string, scored: readonly Scored[], cause: Scored): string {
  const [fix] = scored
    .filter(
      (one) =>
        one.role === "final" &&
        one.place !== "heading" &&
        one !== cause &&
        repair.test(one.text) &&
        !/[:：?？]$/.test(one.text),
    )
    .toSorted((a, b) => b.worth - a.worth);
  return fix && !narrative.includes(fix.text)
    ? clip(`${narrative} Fixed: ${fix.text}`, maxNarrative)
    : narrative;
}

/** A prompt up to this length is kept in full: the words around a rule give its subject. */
const wholePrompt = 500;
const maxNarrative = 1_400;

/** The text of a note begins with the paragraph that its title comes from. */
function narrate(turn: TurnRecord, scored: readonly Scored[], pick: PickedNote, titled: Scored): string {
  const { main } = pick;
  if (main.role === "user" && turn.prompt.length <= wholePrompt) return clip(turn.prompt, maxNarrative);
  const parts = listAround(scored, pick);
  const isFirst = (one: Scored): boolean => one === titled || (isReport(one) && isOfParagraph(one, titled));
  const own = isShortMessage(main) ? [] : scored.filter(isFirst);
  const ordered = [...own, ...parts.filter((one) => !own.includes(one))];
  return clip(ordered.map(withCode).join(" "), maxNarrative);
}

/**
 * The statements that explain the main one: all of a short message, otherwise its paragraph and the supporting
 * statements.
 */
function listAround(scored: readonly Scored[], { main, support }: PickedNote): Scored[] {
  return scored.filter(
    (one) =>
      one === main ||
      support.includes(one) ||
      (isOfMessage(one, main) && (one.line === main.line || isShortMessage(main)) && isReport(one)),
  );
}

/** Whether a statement of a message says something, as opposed to a heading, an announcement, an offer or a status. */
function isReport({ place, text }: Scored): boolean {
  return place !== "heading" && !/[:：]$/.test(text) && !isOffer(text) && !bookkeeping.test(text);
}

function listToolEvents({ steps }: TurnRecord): string[] {
  return steps.flatMap((one) => (one.kind === "tool" ? [one.eventId] : [])).slice(0, 40);
}

/** Statements left out of a message that is kept in full. */
const bookkeeping =
  /^(?:done|pushed|committed|confirmed|perfect|great|good|ok(?:ay)?|that'?s it|all (?:done|set|tests? pass\w*|changes? (?:are )?(?:complete|implemented|done))|(?:draft )?pr (?:created|opened|updated)|tests? pass\w*|lint (?:passes|is clean)|(?:the )?(?:build|ci) (?:passes|is green)|now let me|let me)\b[^,;]{0,80}$/i;

/** The edited files that the note names; all of them if it names none. */
function filesAbout(turn: TurnRecord, narrative: string): string[] {
  const modified = filesModified(turn.steps).filter((file) => !isScratchOf(turn, file));
  const named = modified.filter((file) => narrative.includes(baseName(file)));
  return named.length > 0 ? named : modified.slice(0, 6);
}
