import { clip } from "../../../shared/text.ts";
import type { NoteType } from "../turn-record.ts";
import { stripMarkup } from "./sentences.ts";
import { shortenTitle } from "./title.ts";

/** A plan that the user approved and sent as the prompt. */
export interface Plan {
  title: string;
  /** Why the work is done: the paragraphs of the plan's context section. Empty if the plan has none. */
  context: string;
  type: NoteType;
}

const opening =
  /^\s*(?:implement|execute|carry out)[^\n]{0,40}\bplan\b[^\n]{0,20}\n+\s*#{1,3}\s+([^\n]{12,160})\n/i;
const label =
  /^(?:(?:implementation |refactoring )?plan\s*(?:[:—–]|\s-\s)\s*)+|\s*(?:[:—–]|\s-\s)\s*(?:implementation )?plan$|\s+(?:implementation )?plan$/gi;
const contextHeading =
  /^#{1,4}\s+(?:context|background|problem|summary|goal|overview|motivation|why|objective)\b/i;
const maxContext = 650;

/** Reads the plan in a prompt. Its heading and context describe the work better than the report at its end. */
export function readPlan(prompt: string): Plan | undefined {
  const [start, heading = ""] = opening.exec(prompt) ?? [];
  if (start === undefined) return undefined;
  const title = shortenTitle(stripMarkup(heading).replace(label, "").trim());
  return title.length < 12
    ? undefined
    : { title, context: readContext(prompt.slice(start.length)), type: typeOfPlan(title) };
}

/** The text of the first section, up to the next heading or a code block. */
function readContext(body: string): string {
  const lines = body.split("\n");
  const from = lines.findIndex((line) => line.trim() !== "");
  const isSection = contextHeading.test(lines[from] ?? "");
  const isText = !/^\s*(?:#|```|\|)/.test(lines[from] ?? "");
  if (from < 0 || (!isSection && !isText)) return "";
  const rest = lines.slice(isSection ? from + 1 : from);
  const end = rest.findIndex((line) => /^\s*(?:#{1,6}\s|```|\||---)/.test(line));
  const text = rest
    .slice(0, end < 0 ? undefined : end)
    .map((line) => stripMarkup(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "")).trim())
    .filter(Boolean)
    .join(" ");
  return clip(text.replace(/[:：]$/, "."), maxContext);
}

const types: readonly [RegExp, NoteType][] = [
  [/^(?:hot)?fix\b|\b(?:bug|regression|crash)\b/i, "bugfix"],
  [
    /^(?:refactor|extract|rename|move|split|merge|consolidate|simplify|unify|deduplicate|clean ?up)\b/i,
    "refactor",
  ],
  [
    /^(?:change|update|remove|replace|migrate|switch|upgrade|drop|delete|disable|restrict|rework)\b/i,
    "change",
  ],
];

function typeOfPlan(title: string): NoteType {
  return types.find(([pattern]) => pattern.test(title))?.[1] ?? "feature";
}
