import { clip } from "../../../shared/text.ts";
import { imperative } from "../note-score.ts";
import type { NoteType, TurnRecord } from "../turn-record.ts";
import { stripMarkup } from "./sentences.ts";
import { maxUncut, shortenTitle } from "./title.ts";

/** A plan that the user approved, in a dialog or by sending it as the prompt. */
export interface Plan {
  title: string;
  /** Why the work is done: the paragraphs of the plan's context section. Empty if the plan has none. */
  context: string;
  type: NoteType;
}

const opening = /^\s*(?:implement|execute|carry out)[^\n]{0,40}\bplan\b[^\n]{0,20}\n+/i;
const firstHeading = /^\s*#{1,3}\s+([^\n]{12,160})\n/;
const label =
  /^(?:(?:implementation |refactoring )?plan\s*(?:[:—–]|\s-\s)\s*)+|\s*(?:[:—–]|\s-\s)\s*(?:implementation )?plan$|\s+(?:implementation )?plan$/gi;
const contextHeading =
  /^#{1,4}\s+(?:context|background|problem|summary|goal|overview|motivation|why|objective)\b/i;
const maxContext = 650;

/** The plan that a turn carried out. Its heading and context describe the work better than the report at its end. */
export function readPlan({ prompt, steps }: Pick<TurnRecord, "prompt" | "steps">): Plan | undefined {
  const sent = opening.exec(prompt)?.[0];
  if (sent !== undefined) return parsePlan(prompt.slice(sent.length));
  const approved = steps.findLast((step) => step.kind === "tool" && step.toolKind === "plan" && !step.failed);
  return approved?.kind === "tool" ? parsePlan(approved.target) : undefined;
}

function parsePlan(text: string): Plan | undefined {
  const [start, heading = ""] = firstHeading.exec(text) ?? [];
  if (start === undefined) return undefined;
  const title = shortenTitle(stripMarkup(heading).replace(label, "").trim());
  if (title.length < 12) return undefined;
  const context = readContext(text.slice(start.length));
  return { title: withReason(title, context), context, type: typeOfPlan(title) };
}

/**
 * "Retry queue" is no statement: the first sentence of the context, or of the report, follows if it fits. If that says
 * how things were before the plan, the one that names the goal takes its place.
 */
export function withReason(title: string, context: string): string {
  const sentences = context.split(/(?<=[.!?])\s+/);
  const [first = ""] = sentences;
  const reason = former.test(first) ? (sentences.find((sentence) => goal.test(sentence)) ?? "") : first;
  if (imperative.test(title) || title.includes(":") || reason === "") return title;
  const full = `${title}: ${reason.replace(/[.\s]+$/, "")}`;
  const named = full.length <= maxUncut ? full : shortenTitle(full);
  return named.endsWith("…") || named.length < title.length + minReason ? title : named;
}

const former = /\b(?:currently|right now|at the moment|at present|today)\b/i;
const goal =
  /^(?:this (?:plan|change|feature|work)\b|the goal\b|we (?:want|need|will|should)\b|instead\b|add\b|replace\b)/i;
const minReason = 25;

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
    /^(?:refactor|extract|inline|rename|move|split|merge|consolidate|simplify|unify|deduplicate|clean ?up)\b/i,
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
