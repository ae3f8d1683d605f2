import { clip } from "../../../shared/text.ts";
import type { Distilled, TurnRecord } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";
import { isLeftUndone } from "./open-ends.ts";
import { listSentences } from "./sentences.ts";

const warning =
  /\b(?:beware|caveat|careful|note that|remember|watch out|gotcha|otherwise|only (?:if|when|works)|no longer|must (?:match|be)|needs? (?:an?|the|`|\w+ (?:≥|>=))|requires?|can'?t|cannot|ignores?|is gone|are gone|is needed|has to|have to|by default|default(?:s|ed)? to|never caught|wants a|instead of)\b/i;
const name = /`[^`]+`|\b[A-Z]\w*[A-Z_]\w*\b|\b\w+[._-]\w+\b|\b\d+(?:\.\d+)+\b/;

/** Warnings in the explanation of a change: what would trip the next one up. The main note tells what was done, this what to mind. */
export function distilGotcha(turn: TurnRecord, main: Distilled | undefined): Distilled | undefined {
  if (!main || main.type === "discovery" || main.type === "problem-solution") return undefined;
  const warnings = listSentences(turn.final).filter(
    (sentence) =>
      sentence.length >= 30 && warning.test(sentence) && name.test(sentence) && !isLeftUndone(sentence),
  );
  const [first] = warnings;
  if (!first) return undefined;
  return {
    type: "gotcha",
    title: clip(first, 100),
    narrative: clip(warnings.slice(0, 3).join(" "), 800),
    facts: [],
    concepts: listConcepts(warnings.join(" ")),
    filesRead: [],
    filesModified: main.filesModified,
    sourceEvents: main.sourceEvents,
    provenance: "distil",
  };
}
