import {
  appraisal,
  aside,
  behaviour,
  boilerplate,
  dangling,
  edit,
  firm,
  half,
  lasting,
  ofTheMoment,
  passing,
  request,
  routine,
  rule,
  statedCause,
  status,
  symptom,
  taskLimit,
  testing,
  trap,
  vague,
} from "./cues.ts";
import { isOneOff } from "./answers.ts";
import type { Scored } from "./scorer.ts";
import { makeTitle, stripOpening, subjectless } from "./title.ts";

/** Whether a statement can be the main statement of a note. */
export function canLead(one: Scored): boolean {
  const { place, text, code, role, kind } = one;
  if (place === "heading" || place === "quote" || kind === "open" || text.length < 20) return false;
  if (/[:：]$/.test(text) && code === "" && !isHeadline(text)) return false;
  if (role === "answer") {
    const [question = "", answer = ""] = text.split(/ → (?!.* → )/su);
    return !routine.test(text) && !undecided.test(answer) && !isOneOff(question, answer);
  }
  const statement = stripOpening(text);
  if (role === "denied")
    return !/[?？]["')\]]?$/.test(text) && !boilerplate.test(text) && text.split(/\s+/).length >= 3;
  if (role === "user") return canLeadUser(statement);
  if (/[?？]["')\]]?$/.test(text) || option.test(text)) return false;
  if (half.test(statement) || dangling.test(statement) || vague.test(statement) || status.test(statement))
    return false;
  if (/[{[(]$/.test(code.split("\n", 1)[0] ?? "") && /[:：]$/.test(text)) return false;
  if (passing.test(statement) || appraisal.test(statement)) return false;
  if (subjectless.test(statement) && makeTitle(one) === makeTitle({ ...one, heading: "", lead: "" }))
    return false;
  if (edit.test(statement) && !behaviour.test(statement)) return false;
  if (testing.test(statement) && !trap.test(statement)) return false;
  return isSpecific(statement) || statedCause.test(statement);
}

/** An answer that asks back, hesitates, or leaves the choice to the agent. */
const undecided =
  /[?？]|\b(?:you decide|up to you|your call|you choose|whatever|not sure|no idea|i don'?t know|would depend)\b|^(?:h+m+|u+h+m*|e+r+m*)\b/i;

/** Whether a statement can be the title of its note. It may list an edit, unlike a main statement, or be a heading. */
export function canTitle({ place, text }: Pick<Scored, "place" | "text">): boolean {
  const statement = stripOpening(text);
  return (
    place !== "quote" &&
    place !== "row" &&
    statement.split(/\s+/).length >= 6 &&
    !/[:：?？]$/.test(text) &&
    !option.test(text) &&
    ![half, dangling, vague, status, passing, appraisal, testing].some((pattern) =>
      pattern.test(statement),
    ) &&
    !subjectless.test(statement) &&
    isSpecific(statement)
  );
}

const codeFirst =
  /^(?:[Tt]he |[Ii]n |[Tt]o )?(?:`|\/|[\w./-]*(?:[a-z][A-Z]|[A-Z]{2,}[a-z]|\w_\w|\w\.\w|\w\/\w))/;

const codeName =
  /`[^`]+`|\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|\w+\.\w+\(|[\w-]+\.(?:go|ts|js|py|rs|tsx|java|rb))\b/g;
const spoken = /\b(?:we|i|you|our|my|please|always|never|don['’]?t|let['’]s)\b/i;

/** Whether a statement at the beginning of a message can be the title of its note. */
export function canOpen({ place, text }: Pick<Scored, "place" | "text">): boolean {
  const statement = stripOpening(text);
  return (
    place !== "quote" &&
    statement.split(/\s+/).length >= 5 &&
    !/[:：?？]$/.test(text) &&
    !option.test(text) &&
    ![half, dangling, vague, status, passing, appraisal].some((pattern) => pattern.test(statement))
  );
}

/** Output of a program, which the user pasted. */
const output = /[⎿❯⏺●]|(?:^|\s)\/(?:tmp|var|private)\//;
/** One of several options. */
const option = /^\(?[A-H][.):]\s|\(recommended\)/i;

function canLeadUser(statement: string): boolean {
  if (output.test(statement)) return false;
  // Quoted text is not the user's own: an error message may also say "must not".
  const plain = statement.replace(/"[^"]*"|'[^']{4,}'|`[^`]*`|“[^”]*”/g, "…");
  if ([aside, symptom, taskLimit, ofTheMoment].some((pattern) => pattern.test(plain))) return false;
  // A sentence that begins with a code name, or consists of several, is mostly a finding that was pasted.
  const isPasted = codeFirst.test(statement) || (statement.match(codeName)?.length ?? 0) >= 3;
  if (isPasted && !spoken.test(plain)) return false;
  if (rule.test(plain)) return true;
  if (isPasted) return false;
  return firm.test(plain) || (lasting.test(plain) && !request.test(plain));
}

/**
 * Whether the line above a list is a complete statement on its own: "Replaced the batch engine with a pipeline of four
 * phases:".
 */
function isHeadline(text: string): boolean {
  return (
    text.length >= 45 &&
    !/\b(?:at|to|with|in|for|of|from|as|by|like|are|is|was|were)\s*[:：]$/i.test(text) &&
    /\b(?:replaced|added|removed|fixed|moved|now|is|are|was|were|because|fails?|works?|uses?)\b/i.test(
      text,
    ) &&
    !/\b(?:here|following|below|these|this|that|it|let me|we have|i (?:see|found|need)|two|three|four|five|several|summary|options?|changes?)\b/i.test(
      text,
    )
  );
}

/**
 * Whether a statement names something: a code name, a proper name, a number, a file. General knowledge does not name
 * anything in the project.
 */
function isSpecific(statement: string): boolean {
  return /`|[a-z][A-Z]|\w_\w|[\w-]+\/[\w-]+|\w\.\w{2,4}\b|\d|\s[A-Z][\w-]+|[^ -~]/.test(
    statement.slice(0, 160),
  );
}
