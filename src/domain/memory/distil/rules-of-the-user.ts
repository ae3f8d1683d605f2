import { clip } from "../../../shared/text.ts";
import type { Distilled } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";
import { listSentences } from "./sentences.ts";

/** Words by which people lay down a rule, in the languages they do it in. */
const ruleCues = [
  /\b(?:from now on|going forward|house (?:rule|style)|as a rule|keep (?:that|this|it) in mind|not negotiable|is forbidden|not allowed|no exceptions?)\b/i,
  /\b(?:always|never)\b/i,
  /\bwe (?:always |never |only |strictly )?(?:use|prefer|don'?t (?:use|want|do|like)|do not (?:use|want)|avoid|keep|stick to)\b/i,
  /\bi (?:always |never |only )?(?:prefer|don'?t (?:want|like)|do not want|like (?:to|my))\b/i,
  /\b(?:must(?:n'?t| not| never| always)?|may not|shall(?: not)?) (?!have been\b)\w+/i,
  /\b(?:rules?|conventions?|policy|standards?|style|before you (?:write|start|begin))\b[^.?!]{0,30}:/i,
  /\b(?:we'?re|we are) (?:dropping|moving|switching|migrating|standardi[sz]ing|done with)\b|\b(?:any|all) new \w+|\bno more\b/i,
  /\b\p{L}+ beats \p{L}+|\b(?:prefer|rather than)\b/iu,
  /(?:^|[,;.:]\s*|\b(?:please|and|but|btw|so|ok|though)\s+)(?:don'?t|do not|stop|avoid) (?!touch|change|worry|forget|mind|bother|know|think|understand|see|get|edit|fix|do (?:any|it)|commit|push)\p{L}+/iu,
  /\b(?:pin (?:it|to|\p{L}+ to)|stay on|stick (?:to|with)|let'?s (?:go with|use|keep)|go with)\b/iu,
  /\p{L}+ (?:->|=>|→) \p{L}+,.*(?:->|=>|→)/u,
  /\bin that order\b|\b(?:have|has) no (?:prefix|suffix)\b|\b(?:is|are) (?:always )?called\b/i,
  /(?:^|\s)(?:immer|niemals|nie|ab jetzt|ab sofort|grundsätzlich|bitte (?:keine?|nie|immer|nicht)|wir (?:verwenden|nutzen|benutzen)|regel|verboten)(?=[\s,.:;!]|$)/i,
  /(?:^|[\s¿¡])(?:siempre|nunca|jamás|regla|a partir de ahora|prohibido|usamos|nada de)(?=[\s,.:;!]|$)/i,
  /(?:^|\s)(?:toujours|jamais|désormais|règle|interdit|on utilise)(?=[\s,.:;!]|$)/i,
  /必ず|常に|禁止|今後|ルール|使わない|しないで|統一/,
];

const smallTalk =
  /\b(?:never ?mind|always good|my friend|someone (?:said|says)|he said|she said|they said)\b/i;
const taskLimit = /\b(?:only look|just (?:tell|show|explain|look)|read[- ]only|without changing)\b/i;
/** "always fails", "never arrives": a symptom, not a rule. */
const symptom =
  /\b(?:always|never) (?:fail|crash|happen|return|show|give|work|arrive|finish|fire|end|come|get|see|saw|had|been|was|is|appear)s?\b|\b(?:fails?|crash(?:es|ed)?|broken|error|exception)\b.*\b(?:since|after|when|with|on)\b/i;

/** What the user laid down in passing: preferences and decisions, in their own words. */
export function distilRules(prompt: string, eventIds: string[]): Distilled[] {
  const all = listSentences(prompt);
  const statements = all.flatMap(splitClauses).filter(isRule);
  const [first] = statements;
  if (!first) return [];
  // A short prompt is kept whole: what stands beside the rule says what it is about.
  const words = prompt.length <= 500 ? all : statements;
  return [
    {
      type: isChoice(statements.join(" ")) ? "decision" : "preference",
      title: clip(tidy(first), 100),
      narrative: clip(words.map(tidy).join(" "), 1_000),
      facts: statements.length > 1 ? statements.map((statement) => clip(tidy(statement), 200)) : [],
      concepts: listConcepts(prompt),
      filesRead: [],
      filesModified: [],
      sourceEvents: eventIds,
      provenance: "distil",
    },
  ];
}

/** "fix it. and from now on …": a rule often hangs on a task by "and". */
function splitClauses(sentence: string): string[] {
  return sentence
    .split(/(?:^|,?\s+)(?:and|und|y) (?=from now on|always|never|please|ab jetzt|immer|nunca|siempre)|;\s+/i)
    .filter(Boolean);
}

/** Nobody lays down a rule in more than this; and a paste of one endless word would keep the patterns busy for seconds. */
const longestStatement = 2_000;

function isRule(statement: string): boolean {
  // What is quoted is somebody else's words: an error message may say "must not" too.
  const plain = statement
    .slice(0, longestStatement)
    .replace(/"[^"]*"|'[^']{4,}'|`[^`]*`|“[^”]*”/g, "…")
    .trim();
  if (/[?？]\s*$/.test(plain) || /^(?:<|https?:)/.test(plain)) return false;
  if (smallTalk.test(plain) || taskLimit.test(plain) || symptom.test(plain)) return false;
  if (/^(?:why|how|what|should|can|could|do|does|is|are|where|when)\b/i.test(plain)) return false;
  return ruleCues.some((cue) => cue.test(plain));
}

function isChoice(text: string): boolean {
  return /\b(?:let'?s|go with|pin|instead of|rather than|beats|stay on|make it|settings? row|we (?:decided|chose|will use|'ll use))\b/i.test(
    text,
  );
}

function tidy(statement: string): string {
  const text = statement
    .replace(
      /^(?:ok(?:ay)?|yes|no|good|great|nice|perfect|right|thanks?|also|and|but|so|btw|hm+|works)\b[\s,.:!-]*/i,
      "",
    )
    .trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
