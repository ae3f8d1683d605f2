import type { TurnRecord } from "../turn-record.ts";
import { capitalise, maxWhole } from "./title.ts";

const courtesy =
  /^(?:(?:ok(?:ay)?|yes|great|good|nice|perfect|thanks?|alright|also|now|and|so|then|next|please|hey|hmm+|right|cool)[,.! ]+)*(?:(?:can|could|would|will) (?:you|we) (?:please )?|please |let'?s |i(?:'d| would) like (?:you )?to |i want (?:you )?to |we (?:need|want|should) (?:to )?|you should )?(?:also |now |just |please )*/i;
const act =
  /^(?:add|allow|apply|bump|cache|change|collapse|convert|create|detect|disable|display|do not|don'?t|drop|enable|ensure|expose|extend|extract|fail|fix|format|handle|hide|highlight|implement|improve|include|increase|inline|introduce|keep|limit|log|make|merge|migrate|move|never|only|parse|port|prevent|print|reduce|refactor|reject|remove|rename|replace|require|restrict|return|rework|save|send|set|show|simplify|skip|sort|split|store|strip|support|switch|track|treat|turn|unify|update|upgrade|use|validate|wrap|write)\b/i;
/** Words whose meaning is in another message. */
const refers =
  /\b(?:it|its|this|that(?= (?:one|way|case|part|back|too|as|change|file|thing)\b|[,.]|$)|these|those|them|they|here|(?:above|below)(?! \d)|same|everything|all of|one more|again|both|option|step|phase|task|bullet|comments?|feedback|review|suggestions?|issues?|plan|changes?|wt|worktree|todo|findings?|mediums?|highs?|#?\d+ (?:and|or) #?\d+)\b|@|https?:|(?:^|\s)\/\w|\[image/i;
const errand =
  /\b(?:commit|push|pr\b|pull request|branch|merge|rebase|stash|tests? (?:pass|run)|run (?:the )?tests?|lint(?:er|ing)?|ci\b|(?:skill|subagents?|agents? to)\b|changelog|release notes|typo)/i;
const minWords = 5;

/**
 * The user's request as the title of the work that carried it out. Undefined unless it is one clear instruction that
 * names its subject.
 */
export function makeRequestTitle({ prompt, isMachine, outcome }: TurnRecord): string | undefined {
  if (isMachine || outcome !== "completed" || prompt.length > 400) return undefined;
  const [sentence = ""] = prompt.trim().split(/(?<=[.!?。])\s+|\n/);
  const request = sentence.replace(courtesy, "").replace(/[.!\s]+$/, "");
  const isClear =
    act.test(request) &&
    request.length <= maxWhole &&
    request.split(/\s+/).length >= minWords &&
    !/[?？]$/.test(request) &&
    !refers.test(request) &&
    !errand.test(request);
  return isClear ? capitalise(request) : undefined;
}
