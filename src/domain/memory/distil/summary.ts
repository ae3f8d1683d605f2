import type { Distilled, TurnRecord, TurnSummary } from "../turn-record.ts";
import { describeEdits, filesModified, filesRead } from "./files.ts";
import type { Scored } from "./scorer.ts";
import { clip } from "../../../shared/text.ts";
import { makeTitle } from "./title.ts";

/** Minimum probability that an open end is wanted, unless it is stated explicitly. */
const openBar = 0.3;
const offer =
  /\b(?:want me to|shall i|should i|would you like|do you want|let me know|if you(?:'d)? (?:want|like|prefer)|i can (?:also )?|ready (?:to|for)|whenever you|say the word)\b|[?？]\s*$/i;
/** States explicitly that something is not done. */
const saidOpen =
  /^(?:still (?:open|to do|missing|pending)|not (?:yet )?(?:done|started|addressed|implemented|covered|fixed|included|migrated)(?: yet)?|left (?:for later|open|to do|undone)|to ?do|open|tomorrow|follow-?ups?|deferred|next)\s*[:：—–]|\b(?:have|has|did)(?: not|n['’]t) (?:yet |been )?(?:written|added|done|run|tested|fixed|migrated|wired|implemented|covered|tried|scheduled)\b|\b(?:isn['’]t|aren['’]t|is not|are not|not) [^.;]{0,40}\byet\b|\bstill (?:needs?|has to|have to|to be|missing|open|throws|stubbed)\b|\b(?:is|are) (?:for you to|left for|stubbed)\b|\b(?:remember|don['’]t forget) to\b|\byou should still\b|\bneeds? (?:a|the same) (?:follow-?up|swap|change)\b|(?:まだ|未対応|残って)|아직|noch (?:offen|nicht)|pendiente|falta |reste à|ainda não|осталось|ещё не|待办|尚未|还没/iu;
const openHeading =
  /^(?:still )?(?:open|remaining|next(?: steps?)?|to ?do|follow-?ups?|deferred|not (?:done|addressed|covered|in scope|included)|out of scope|left|pending|known (?:gaps|issues|limitations))\b/i;
const left =
  /\b(?:todo|remain(?:s|ing)?|left (?:open|as|for|undone|unfixed)|not (?:yet|done|implemented|covered|fixed|tested|addressed|wired|migrated)|still (?:needs?|open|missing|fails?|uses?|pending|broken)|follow-?ups?|deferred|out of scope|pending|unresolved|unfixed|pre-existing|haven'?t|hasn'?t|has not|have not|separate (?:pr|task|issue|change|phase)|tracked (?:in|as)|worth (?:replacing|fixing|revisiting)|placeholder|coming soon|known (?:issue|limitation|gap|bug)|has to (?:run|move|happen|wait))\b/i;
/** Bookkeeping, which does not count as an open end. */
const openBookkeeping =
  /\b(?:committed|pushed|merged|uncommitted|unstaged|untracked|gitignored|saved|moved to|marked|push|commit|as agreed|intentional(?:ly)?)\b/i;

/** Whether a text is a question or an offer of help, which is irrelevant later. */
export function isOffer(text: string): boolean {
  return offer.test(text);
}

/** The eight fields of a turn's summary, each correct or empty; undefined for a turn in which nothing happened. */
export function summariseTurn(
  turn: TurnRecord,
  scored: readonly Scored[],
  notes: readonly Distilled[],
): TurnSummary | undefined {
  const { steps, prompt } = turn;
  const tools = steps.filter((step) => step.kind === "tool");
  const open = listOpenEnds(scored);
  if (tools.length === 0 && notes.length === 0 && open.length === 0) return undefined;
  const learned = notes.filter(({ type }) => ["discovery", "gotcha", "problem-solution"].includes(type));
  const done = notes.filter(({ type }) => ["feature", "change", "refactor", "bugfix"].includes(type));
  const failures = tools.filter((step) => step.failed).length;
  return {
    request: turn.isMachine ? "" : clip(prompt, 300),
    investigated: clip(filesRead(steps).slice(0, 10).join(", "), 300),
    learned: clip(learned.map(({ title }) => title).join(" · "), 400),
    completed: clip(done.map(({ title }) => title).join(" · ") || saidDone(turn, scored, learned), 500),
    nextSteps: clip(open.map(({ text }) => text).join(" "), 600),
    notes: clip(
      [
        failures > 0 ? `${failures} of ${tools.length} tool calls failed.` : "",
        turn.outcome && turn.outcome !== "completed"
          ? `The turn ${turn.outcome === "failed" ? "failed" : `was ${turn.outcome}`}.`
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      200,
    ),
    filesRead: filesRead(steps).slice(0, 20),
    filesModified: filesModified(steps).slice(0, 20),
  };
}

/** Statements of the last message that name known, unfinished work. Offers and questions do not count. */
export function listOpenEnds(scored: readonly Scored[]): Scored[] {
  return scored.filter(
    (one) =>
      one.role === "final" &&
      one.place !== "heading" &&
      one.text.length >= 15 &&
      !offer.test(one.text) &&
      !openBookkeeping.test(one.text) &&
      isSaidOpen(one),
  );
}

function isSaidOpen({ text, place, heading, lead, worth, kind }: Scored): boolean {
  if (saidOpen.test(text.replace(/\([^()]*\)/g, ""))) return true;
  if (place === "bullet" && (openHeading.test(heading) || openHeading.test(lead))) return true;
  return kind === "open" && worth >= openBar && left.test(text);
}

/**
 * The statement of the last message that best describes the work, if no note does. It is returned in full if its title
 * is also that of a finding: the title of "X failed because of Y; Z now prevents it" omits the work.
 */
function saidDone(turn: TurnRecord, scored: readonly Scored[], learned: readonly Distilled[]): string {
  const edits = describeEdits(turn.steps);
  if (edits.length === 0) return "";
  const [best] = scored
    .filter(
      ({ role, place, text }) =>
        role === "final" && place !== "heading" && text.length >= 25 && !/[:：?？]$/.test(text),
    )
    .toSorted((a, b) => b.worth - a.worth);
  if (!best) return edits.slice(0, 3).join("; ");
  const title = makeTitle(best);
  return learned.some((note) => note.title === title) ? best.text.replace(/[.。]$/u, "") : title;
}
