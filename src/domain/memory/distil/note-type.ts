import type { NoteType, TurnRecord } from "../turn-record.ts";
import { isPasted } from "./candidates.ts";
import { firm, statedCause } from "./cues.ts";
import { listCommits } from "./commits.ts";
import { filesModified, isEdit } from "./files.ts";
import type { Scored } from "./scorer.ts";
import { stripOpening } from "./title.ts";

export const repair =
  /\b(?:fix(?:ed|es)?|now|no longer|resolved|replaced|added|changed|removed|switched|patched|instead)\b/i;
const made =
  /^(?:i(?:'ve| have)? )?(?:successfully |now )?(?:added|adds|created|implemented|built|introduced|wrote|new)\b/i;
const restructured =
  /^(?:the refactor(?:ing)?\b|(?:i(?:'ve| have)? )?(?:renamed|extracted|moved|split|merged|consolidated|refactored|simplified|unified|deduplicated|inlined)\b)/i;
const changed =
  /^(?:i(?:'ve| have)? )?(?:successfully |now )?(?:changed|updated|removed|replaced|deleted|switched|bumped|upgraded|made|set|disabled|enabled|dropped)\b/i;
const fixed = /^(?:i(?:'ve| have)? )?(?:fix(?:ed|es)?|patched|repaired)\b/i;

export const problem =
  /\b(?:because|cause|bug|issue|problem|error|fail\w*|wrong|broken|crash\w*|hang|leak|race|never|doesn'?t|didn'?t|wasn'?t|isn'?t|not|missing|ignored?|dropp?ed|silently|lost|stale|duplicate|incorrect)\b/i;

/** The heading of a plan; its text also mentions errors that are handled. */
const planHeading = /^\s*implement the following plan:?\s*(.*)$/im;

export function isTroubleTurn({ prompt: whole }: TurnRecord): boolean {
  const plan = planHeading.exec(whole.slice(0, 200));
  const prompt = plan ? (/^\s*#+\s*(.+)$/m.exec(whole)?.[1] ?? "") : whole;
  if (
    /^\W*(?:please |can you |let'?s )?(?:ensure|make|add|implement|create|build|support|allow)\b/i.test(
      prompt,
    )
  )
    return false;
  return /\b(?:fix|bug|crash|fail\w*|errors?|broken|wrong|why|doesn'?t|not work|stuck|slow|flaky)\b/i.test(
    prompt.slice(0, 1_000),
  );
}

/** The type of finished work, from the statement that reports it. Undefined if it reports none. */
function workType(turn: TurnRecord, text: string): NoteType | undefined {
  const statement = stripOpening(text).replace(/^`?[\w./-]+\.\w{1,5}`?(?::\d+)?\s*[—–:-]\s*/, "");
  if (fixed.test(statement) || fixed.test(text)) return "bugfix";
  if (made.test(statement)) return isTroubleTurn(turn) ? "bugfix" : "feature";
  if (restructured.test(statement)) return "refactor";
  return changed.test(statement) ? (isTroubleTurn(turn) ? "bugfix" : "change") : undefined;
}

/** Whether the turn changed something: it edited files, had another agent do so, or committed. */
function isWork({ steps, outcome }: TurnRecord): boolean {
  return (
    steps.some(isEdit) ||
    (outcome === "completed" &&
      steps.some((step) => step.kind === "tool" && step.toolKind === "delegate") &&
      listCommits(steps).length > 0)
  );
}

const asksForNew =
  /^\W*(?:(?:yes|ok(?:ay)?|please|can (?:you|we)|let'?s|could (?:you|we)|i(?:'d| would) like to|i want to)[\s,]+)*(?:please )?(?:add|create|implement|build|support|introduce)\b/i;

/** Minimum number of edits of a larger piece of work. */
const largeWork = 3;
/** Says how things are after the change. */
const newState = /\bnow\b(?! (?:that|let|i|we)\b)|\bno longer\b|\bfrom now on\b/i;

/** Says how a problem can be solved. */
const namesFix =
  /^(?:to (?:actually )?(?:fix|solve|avoid|work around)\b|(?:the |one )?(?:\w+ )?(?:fix|workaround|solution)(?: (?:is|was|would be|here)\b|:))/i;

/** Says how things should be. */
const normative = /\b(?:should|must|shall|we(?:['’]ll| will) (?:use|keep|drop|skip|move))\b/i;
const agrees =
  /^\W*(?:yes, exactly|exactly|agreed|got it|makes sense|(?:that['’]?s a )?(?:great|good|fair|excellent) (?:point|catch|call|idea|instinct)|you['’]?re (?:absolutely |exactly )?right|right[,.:—– -])/i;

/** Whether the agent agrees with a proposal of the user; nothing was changed yet. */
function isAgreed({ final, prompt, isMachine, steps }: TurnRecord): boolean {
  return !isMachine && prompt.length > 30 && agrees.test(final) && !steps.some(isEdit);
}

/** The agent wrote a rule of the user into its own memory. */
const savedRule =
  /^(?:memory (?:saved|updated)|saved (?:to|in) memory|(?:noted|remembered) for (?:the future|next time))\b/i;

/** Number of statements at the beginning of a report that say what it is about. */
const openingStatements = 4;

/**
 * The type of a note. In a turn that edited files, a report of finished work outweighs a warning or an observation in
 * it. Only the user decides: a design in the agent's words is a change or a discovery.
 */
export function chooseNoteType(turn: TurnRecord, main: Scored, scored: readonly Scored[]): NoteType {
  const type = readType(turn, main, scored);
  return type === "feature" && isAboutDocs(turn) ? "change" : type;
}

const docs = /\.(?:mdx?|rst|adoc|txt)$/i;

/** Whether only documentation was edited. */
export function isAboutDocs({ steps }: Pick<TurnRecord, "steps">): boolean {
  const files = filesModified(steps);
  return files.length > 0 && files.every((file) => docs.test(file));
}

function readType(turn: TurnRecord, main: Scored, scored: readonly Scored[]): NoteType {
  const { kind, text, role } = main;
  if (role === "user") {
    // A plan in the prompt begins with a description of the current state.
    const isDescription = kind === "decision" && isPasted(turn.prompt) && !firm.test(text);
    return isDescription || kind === "open" ? "discovery" : kind === "cause" ? "problem-solution" : kind;
  }
  if (savedRule.test(text)) return "preference";
  if (isWork(turn)) {
    const own = workType(turn, text);
    if (own) return own;
    const isResult = newState.test(text) && !statedCause.test(text);
    if (isResult && (kind === "cause" || kind === "discovery" || kind === "change"))
      return isTroubleTurn(turn) || (kind === "cause" && problem.test(text))
        ? "bugfix"
        : asksForNew.test(turn.prompt)
          ? "feature"
          : "change";
    if (kind !== "cause") {
      const [reported] = scored
        .filter((one) => one.role === "final" && one.place !== "heading")
        .slice(0, openingStatements)
        .flatMap((one) => workType(turn, one.text) ?? []);
      if (reported) return reported;
      // In a larger piece of work, a trap is a detail of what was done.
      if (kind === "gotcha" && turn.steps.filter(isEdit).length >= largeWork)
        return isTroubleTurn(turn) ? "bugfix" : "change";
    }
  }
  // Describes what was made, not why something failed.
  if (kind === "cause" && isWork(turn) && !problem.test(text) && !statedCause.test(text))
    return isTroubleTurn(turn) ? "bugfix" : "change";
  if (kind === "cause")
    return isWork(turn) || problem.test(text) || isTroubleTurn(turn) ? "problem-solution" : "discovery";
  // A defect that was found is not yet a change.
  if ((kind === "change" || kind === "feature") && problem.test(text) && !repair.test(text))
    return isTroubleTurn(turn) ? "problem-solution" : "discovery";
  if (isAgreed(turn) && normative.test(text) && !problem.test(text)) return "decision";
  if (kind === "decision" || kind === "preference") return turn.steps.some(isEdit) ? "change" : "discovery";
  if (kind === "discovery" && namesFix.test(text)) return "problem-solution";
  return kind === "open" ? "discovery" : kind;
}
