import type { Distilled, NoteType, Step, TurnRecord, TurnSummary } from "../turn-record.ts";
import { noteAgreement, noteRestated } from "./agreement.ts";
import { noteAnswer, noteRefusal } from "./answers.ts";
import { listConcepts } from "./concepts.ts";
import { baseName, filesModified, filesRead, isEdit } from "./files.ts";
import { canLead } from "./can-lead.ts";
import { isPasted } from "./candidates.ts";
import { firm } from "./cues.ts";
import {
  type Pick,
  isShortMessage,
  type PickLimits,
  pickLimits,
  pickStatements,
  tellsTheSame,
} from "./pick.ts";
import { listRemovedNames } from "./removed-names.ts";
import type { Scored, Scorer } from "./scorer.ts";
import { clip } from "../../../shared/text.ts";
import { stripMarkup } from "./sentences.ts";
import { isOffer, summariseTurn } from "./summary.ts";
import { makeTitle, shortenTitle, stripOpening } from "./title.ts";

export interface DistilContext {
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
  const picks = pickStatements(scored, limits);
  const agreement = turn.isMachine
    ? undefined
    : noteAgreement(turn.prompt, context.previousFinal, context.promptEventId);
  const picked = picks.map((pick) => makeNote(turn, scored, pick, context.promptEventId));
  const settled = agreement ?? (picked.length === 0 ? noteRestated(turn, context.promptEventId) : undefined);
  const notes = [...(settled ? [settled] : []), ...picked];
  const summary = summariseTurn(turn, scored, notes);
  return { notes, summary, removed: turn.steps.some(isEdit) ? listRemovedNames(turn.final) : [] };
}

export function makeNote(
  turn: TurnRecord,
  scored: readonly Scored[],
  pick: Pick,
  promptEventId: string,
): Distilled {
  const { main } = pick;
  const step = turn.steps[main.step];
  if (main.role === "answer" && step?.kind === "answer") return noteAnswer(step);
  if (main.role === "denied" && step?.kind === "denied") return noteRefusal(step, makeTitle(main));
  const isFixed = main.kind === "cause" && isRepaired(turn, scored, main);
  const told = narrate(turn, scored, pick);
  const narrative = isFixed ? withFix(told, scored, main) : told;
  const isUsers = main.role === "user";
  const files = isUsers ? [] : filesAbout(turn, narrative);
  // A fixed defect must not read like a current one.
  const type = isFixed ? "bugfix" : typeOf(turn, main);
  const title = (workTypes.has(type) && planTitle(turn.prompt)) || titleOf(scored, pick);
  return {
    type,
    title,
    narrative,
    facts: isUsers
      ? []
      : [...listFurther(pick, narrative), ...errorsAbout(turn.steps, narrative), ...listAsked(turn)],
    concepts: listConcepts(narrative),
    filesRead: isUsers ? [] : filesRead(turn.steps).slice(0, 12),
    filesModified: files,
    sourceEvents: isUsers
      ? [promptEventId]
      : turn.steps.flatMap((one) => (one.kind === "tool" ? [one.eventId] : [])).slice(0, 40),
    provenance: "distil",
    worth: main.useful * (0.5 + main.clear),
  };
}

const workTypes: ReadonlySet<NoteType> = new Set(["feature", "change", "refactor", "bugfix"]);

/** The heading of a plan in the prompt describes the work better than a line of the final report. */
function planTitle(prompt: string): string {
  const [, heading = ""] =
    /^\s*(?:implement|execute)[^\n]{0,40}plan:?\s*\n+\s*#{1,3}\s+([^\n]{15,140})/i.exec(prompt) ?? [];
  return heading && shortenTitle(stripMarkup(heading).replace(/^(?:implementation )?plan\s*[:—–-]\s*/i, ""));
}

const repair =
  /\b(?:fix(?:ed|es)?|now|no longer|resolved|replaced|added|changed|removed|switched|patched|instead)\b/i;

/** Whether the statement describes, in the present tense, a defect that was fixed in this turn. */
function isRepaired(turn: TurnRecord, scored: readonly Scored[], cause: Scored): boolean {
  const { text, role } = cause;
  return (
    role === "final" &&
    turn.outcome === "completed" &&
    turn.steps.some(isEdit) &&
    turnIsTrouble(turn) &&
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

/** Makes the title from the clearest statement of the note: the main one, unless another is clearly better. */
function titleOf(scored: readonly Scored[], pick: Pick): string {
  const { main } = pick;
  if (main.role === "user") return makeTitle(main);
  const rank = (one: Scored): number => one.clear * Math.sqrt(one.useful) * (one === main ? mainMargin : 1);
  const [best = main] = listAround(scored, pick)
    .filter((one) => one === main || canLead(one))
    .toSorted((a, b) => rank(b) - rank(a));
  return makeTitle(best);
}

const mainMargin = 1.2;

/** A prompt up to this length is kept in full: the words around a rule give its subject. */
const wholePrompt = 500;
const maxNarrative = 1_400;

function narrate(turn: TurnRecord, scored: readonly Scored[], pick: Pick): string {
  const { main } = pick;
  if (main.role === "user" && turn.prompt.length <= wholePrompt) return clip(turn.prompt, maxNarrative);
  const parts = listAround(scored, pick);
  return clip(parts.map(withCode).join(" "), maxNarrative);
}

/**
 * The statements that explain the main one: all of a short message, otherwise its paragraph and the supporting
 * statements.
 */
function listAround(scored: readonly Scored[], { main, support }: Pick): Scored[] {
  return scored.filter(
    (one) =>
      one === main ||
      support.includes(one) ||
      (isOfMessage(one, main) &&
        (one.line === main.line || isShortMessage(main)) &&
        one.place !== "heading" &&
        !/[:：]$/.test(one.text) &&
        !isOffer(one.text) &&
        !bookkeeping.test(one.text)),
  );
}

/** Other findings of the turn that the narrative does not already contain. */
function listFurther({ further }: Pick, narrative: string): string[] {
  const told: { text: string }[] = [{ text: narrative }];
  for (const one of further)
    if (!told.some((other) => tellsTheSame(one, other))) told.push({ text: withCode(one) });
  return told.slice(1).map(({ text }) => text);
}

function isOfMessage(a: Scored, b: Scored): boolean {
  return a.role === b.role && a.step === b.step;
}

/** Statements left out of a message that is kept in full. */
const bookkeeping =
  /^(?:done|pushed|committed|confirmed|perfect|great|good|ok(?:ay)?|that'?s it|all (?:done|set|tests? pass\w*|changes? (?:are )?(?:complete|implemented|done))|(?:draft )?pr (?:created|opened|updated)|tests? pass\w*|lint (?:passes|is clean)|(?:the )?(?:build|ci) (?:passes|is green)|now let me|let me)\b[^,;]{0,80}$/i;

/** The request that the turn answers: it names the subject if the answer does not. */
function listAsked({ prompt, isMachine }: TurnRecord): string[] {
  const [line = ""] = prompt.split("\n").filter((one) => /\p{L}{2}/u.test(one) && !pastedOpening.test(one));
  const asked = clip(line.replace(/^[#>*\s-]+/, "").trim(), maxAsked);
  return isMachine || asked.split(/\s+/).length < 4 || /^[/<[{]/.test(asked) ? [] : [`Asked: ${asked}`];
}

const pastedOpening = /^\s*implement the following plan|^\s*#+\s*(?:context|overview|plan)\s*$/i;
const maxAsked = 200;

/** Appends the code that the sentence introduces. */
function withCode({ text, code }: Scored): string {
  return code === "" ? text : `${text} \`${clip(code, 300)}\``;
}

const made =
  /^(?:i(?:'ve| have)? )?(?:successfully |now )?(?:added|adds|created|implemented|built|introduced|wrote|new)\b/i;
const restructured =
  /^(?:i(?:'ve| have)? )?(?:renamed|extracted|moved|split|merged|consolidated|refactored|simplified|unified|deduplicated)\b/i;
const changed =
  /^(?:i(?:'ve| have)? )?(?:successfully |now )?(?:changed|updated|removed|replaced|deleted|switched|bumped|upgraded|made|set|disabled|enabled|dropped)\b/i;
const fixed = /^(?:i(?:'ve| have)? )?(?:fix(?:ed|es)?|patched|repaired)\b/i;

const problem =
  /\b(?:because|cause|bug|issue|problem|error|fail\w*|wrong|broken|crash\w*|hang|leak|race|never|doesn'?t|didn'?t|wasn'?t|isn'?t|not|missing|ignored?|dropp?ed|silently|lost|stale|duplicate|incorrect)\b/i;

function turnIsTrouble({ prompt }: TurnRecord): boolean {
  return /\b(?:fix|bug|crash|fail\w*|errors?|broken|wrong|why|doesn'?t|not work|stuck|slow|flaky)\b/i.test(
    prompt.slice(0, 1_000),
  );
}

/** The type of a note. The beginning of a statement says more about finished work than its other words. */
function typeOf(turn: TurnRecord, { kind, text, role }: Scored): NoteType {
  const isWork = (role === "final" || role === "say") && turn.steps.some(isEdit);
  const statement = stripOpening(text).replace(/^`?[\w./-]+\.\w{1,5}`?(?::\d+)?\s*[—–:-]\s*/, "");
  if (isWork && (fixed.test(statement) || fixed.test(text))) return "bugfix";
  if (isWork && made.test(statement)) return turnIsTrouble(turn) ? "bugfix" : "feature";
  if (isWork && restructured.test(statement)) return "refactor";
  const isRepair = isWork && repair.test(text) && (kind === "cause" || turnIsTrouble(turn));
  if (isWork && changed.test(statement))
    return isRepair ? "bugfix" : kind === "decision" ? "decision" : "change";
  if (kind === "cause")
    return problem.test(text) || turnIsTrouble(turn) ? "problem-solution" : isWork ? "change" : "discovery";
  if (isWork && turnIsTrouble(turn) && (kind === "change" || kind === "feature")) return "bugfix";
  // A plan in the prompt begins with a description of the current state.
  if (role === "user" && kind === "decision" && isPasted(turn.prompt) && !firm.test(text)) return "discovery";
  return kind === "open" ? "discovery" : kind;
}

/** The edited files that the note names; all of them if it names none. */
function filesAbout(turn: TurnRecord, narrative: string): string[] {
  const modified = filesModified(turn.steps).filter((file) => !isScratch(file, turn.root));
  const named = modified.filter((file) => narrative.includes(baseName(file)));
  return named.length > 0 ? named : modified.slice(0, 6);
}

function isScratch(file: string, root: string | undefined): boolean {
  return /^\/(?:tmp|private\/tmp|var\/folders)\//.test(file) && !(root && file.startsWith(root));
}

/** An error message that the note is about: people search for its exact text. */
function errorsAbout(steps: readonly Step[], narrative: string): string[] {
  const words = new Set(narrative.match(/[A-Za-z_][\w.]{5,}/g) ?? []);
  return steps
    .flatMap((step) => {
      if (step.kind !== "tool" || !step.failed) return [];
      const line = step.output
        .split("\n")
        .find(
          (text) =>
            /error|exception|failed|cannot|denied|invalid|panic/i.test(text) &&
            !/^Exit code|<tool_use_error>|lint/i.test(text),
        );
      const shared = (line?.match(/[A-Za-z_][\w.]{5,}/g) ?? []).filter((word) => words.has(word));
      return line && shared.length > 0 ? [`Error: ${clip(line, 160)}`] : [];
    })
    .slice(0, 1);
}
