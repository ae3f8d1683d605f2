import { clip } from "../../../shared/text.ts";
import type { Distilled, ObservationType, Step, TurnRecord } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";
import { describeEdits, filesModified, filesRead, isEdit } from "./files.ts";
import { isLeftUndone } from "./open-ends.ts";
import { listSentences } from "./sentences.ts";

const cause =
  /\b(?:because|cause[ds]?|due to|root cause|reason|turned out|turns out|the problem (?:was|is)|culprit|so that|which (?:means|meant|is why)|that's why|instead of|never|no longer|only|by default|needs?|requires?|without|although|while|ist schuld|weil|deshalb|lag an|porque|debido|原因|ため)\b|(?:原因|ため)/i;
const trouble =
  /\b(?:fix(?:ed|es)?|bug|crash(?:es|ed)?|fail(?:s|ed|ing|ure)?|errors?|leak|wrong|broken|breaks?|hang(?:s|ing)?|slow|flaky|duplicates?|twice|undefined|denied|refused|lost|missing|regression|oom|timeout|time-?out|can'?t|doesn'?t|isn'?t|not work(?:ing)?|500|504|fehler|falsch|kaputt|error|falla|mal)\b|エラー|失敗|バグ|落ち/i;
const refactoring =
  /\b(?:refactor(?:ed|ing)?|clean(?:ed)? ?up|renam(?:e|ed)|extract(?:ed)?|tidy|tidied|convert(?:ed)?|restructur(?:e|ed)|mov(?:e|ed) .* (?:to|into)|split|dead|remove[ds]?|unif(?:y|ied)|simplif(?:y|ied))\b/i;
const making =
  /\b(?:add(?:ed|s)?|implement(?:ed)?|creat(?:e|ed)|support|new|introduc(?:e|ed)|set up|built?|build|export|write|wrote|feature|need an?|hinzu|añad|neue?)\b|追加|実装/i;
/** Finals that only say that it was done. */
const bareWord =
  /^(?:done|fixed|added|ok(?:ay)?|committed|pushed|rebased|released?|updated|converted|finished|merged|all (?:green|done|good)|ready|sure|noted|understood|will do|you'?re welcome|bye|hi|hello|sounds good|see you|great|works)\b/i;

/** The main thing a turn brought: what was changed or found out, and why. Undefined if there was nothing to keep. */
export function distilOutcome(turn: TurnRecord): Distilled | undefined {
  const { steps, final } = turn;
  const work = steps.filter((step) => step.kind === "tool");
  if (work.length === 0) return undefined;
  const edits = steps.filter(isEdit);
  const sentences = listSentences(final).filter((sentence) => !isLeftUndone(sentence));
  const telling = sentences.filter((sentence) => isTelling(sentence));
  if (edits.length === 0 && !isFinding(turn, telling)) return undefined;
  if (edits.length > 0 && isTrivialEdit(turn, telling)) return undefined;

  const isThin = telling.join(" ").length < 90;
  const said = listSentences(
    steps.flatMap((step) => (step.kind === "say" ? [step.text] : [])).join("\n"),
  ).filter((text) => isTelling(text) && cause.test(text));
  const edited = describeEdits(steps);
  const type = chooseType(turn, telling, edits.length > 0);
  const narrative = [
    isThin && !turn.isMachine ? `Asked: ${clip(turn.prompt, 300)}` : "",
    clip(telling.length > 0 ? telling.join(" ") : final, 1_600),
    isThin ? said.slice(-2).join(" ") : "",
    isThin && edited.length > 0 ? `Changed ${edited.slice(0, 4).join("; ")}.` : "",
  ];
  return {
    type,
    title: makeTitle(turn, telling, edited),
    narrative: narrative.filter(Boolean).join(" "),
    facts: [...failureFacts(steps), ...edited.slice(0, 6)],
    concepts: listConcepts(`${final} ${edited.join(" ")}`),
    filesRead: filesRead(steps).slice(0, 12),
    filesModified: filesModified(steps),
    sourceEvents: work.map(({ eventId }) => eventId).slice(0, 40),
    provenance: "distil",
  };
}

/** Something specific: a name, a number, a path, or a reason. */
function isTelling(sentence: string): boolean {
  if (bareWord.test(sentence) && sentence.length < 40) return false;
  return sentence.length >= 25 || /`[^`]+`/.test(sentence);
}

/** Reading and running alone is worth a note only if it ended in an explanation. */
function isFinding({ prompt, final, steps }: TurnRecord, telling: string[]): boolean {
  const text = telling.join(" ");
  if (/^(?:which|what) (?:files?|version|branch)\b/i.test(prompt.trim()) && text.length < 120) return false;
  const isErrand =
    /^(?:(?:ok|good|great|perfect|nice|yes|please)[,.!\s]+)*(?:please )?(?:commit|push|rebase|merge|squash|branch|open a pr|pr\b|release|deploy|run|rerun|again|installed)/i.test(
      prompt.trim(),
    );
  if (isErrand && !cause.test(text)) return false;
  const hasSubstance = text.length >= 110 || (text.length >= 60 && /`[^`]+`|\d/.test(text));
  const looked = steps.some((step) => step.kind === "tool");
  return (
    looked &&
    hasSubstance &&
    (cause.test(text) || text.length >= 160 || /\d/.test(text)) &&
    !/^(?:https?:\S+)$/.test(final.trim())
  );
}

/** A line or two in a scratch file, or one that only obeys a rule, is not news. */
function isTrivialEdit({ steps, prompt, root }: TurnRecord, telling: string[]): boolean {
  const files = filesModified(steps);
  const isScratch = (file: string): boolean =>
    /^\/(?:tmp|private\/tmp|var\/folders)\//.test(file) && !(root && file.startsWith(root));
  if (files.every(isScratch)) return true;
  const isNotes = files.every((file) => /(?:CLAUDE|AGENTS|CONTRIBUTING|README|NOTES)\.md$/i.test(file));
  if (isNotes && telling.join(" ").length < 60) return true;
  return /\b(?:tidy|typo|spelling|format)\b/i.test(prompt) && telling.join(" ").length < 100;
}

function chooseType({ prompt, steps }: TurnRecord, telling: string[], hasEdits: boolean): ObservationType {
  const text = telling.join(" ");
  if (!hasEdits) return "discovery";
  const isTrouble = trouble.test(prompt) || /\b(?:fix(?:ed|es)?|bug|cause|leak|broke)\b/i.test(text);
  const isTask =
    /^(?:please |can you |could you )?(?:add|implement|create|build|set up|write|make|upgrade|bump|convert|refactor|clean|rename|move|remove|extract)/i.test(
      prompt.trim(),
    );
  if (isTrouble && !(isTask && !/\bfix/i.test(prompt)))
    return cause.test(text) ? "problem-solution" : "bugfix";
  if (refactoring.test(prompt)) return "refactor";
  if (making.test(prompt) || (making.test(text) && !refactoring.test(text))) return "feature";
  const hadFailure = steps.some((step) => step.kind === "tool" && step.failed);
  return hadFailure && cause.test(text) ? "problem-solution" : "change";
}

function makeTitle({ prompt }: TurnRecord, telling: string[], edited: string[]): string {
  const stripped = telling.map((sentence) =>
    sentence.replace(
      /^(?:done|fixed|found it|works|right|yes|no|ready for a pr|refactored|upgraded|set up)\s*[:.,!]\s*/i,
      "",
    ),
  );
  const best =
    stripped.find((sentence) => cause.test(sentence) && sentence.length >= 30) ??
    stripped.find((sentence) => sentence.length >= 20);
  if (best) return clip(capitalise(best), 100);
  return clip(capitalise(prompt) || edited[0] || "Change", 100);
}

/** What failed on the way, in the tool's own words: the text somebody will search for. */
function failureFacts(steps: readonly Step[]): string[] {
  return steps
    .flatMap((step) => {
      if (step.kind !== "tool" || !step.failed) return [];
      const line = step.output
        .split("\n")
        .find(
          (text) =>
            /error|exception|failed|cannot|unable|denied|not found|invalid/i.test(text) &&
            !text.startsWith("Exit code"),
        );
      if (!line || /no such file|does not exist|command not found/i.test(line)) return [];
      return [`Failed on the way: ${clip(line, 160)}`];
    })
    .slice(0, 2);
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
