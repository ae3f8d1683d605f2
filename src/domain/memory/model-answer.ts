import { clip } from "../../shared/text.ts";
import * as z from "zod";
import { memoryTypes } from "../../protocol/memory.ts";
import { redactText } from "../../redact/redact-text.ts";
import { parseJson } from "../../shared/json.ts";
import { baseName } from "./distil/files.ts";
import type { Distilled, TurnSummary } from "./turn-record.ts";

const answerSchema = z.strictObject({
  observations: z.array(
    z.strictObject({
      type: z.enum(memoryTypes),
      title: z.string(),
      narrative: z.string(),
      facts: z.array(z.string()),
      concepts: z.array(z.string()),
      files: z.array(z.string()),
    }),
  ),
  summary: z.strictObject({
    request: z.string(),
    investigated: z.string(),
    learned: z.string(),
    completed: z.string(),
    nextSteps: z.string(),
    notes: z.string(),
  }),
});

/** JSON Schema of an answer, for providers that support structured output. */
export const answerJsonSchema: Record<string, unknown> = makeJsonSchema();

/** The files of the turn in question. */
export interface TurnFiles {
  read: readonly string[];
  modified: readonly string[];
}

export interface ModelNotes {
  observations: Distilled[];
  summary: TurnSummary;
}

const maxObservations = 5;
const maxEntries = 5;

/**
 * Converts a model's answer to notes; undefined unless all of it is valid. Texts are truncated and redacted like any
 * other untrusted text; only files of the turn itself are accepted.
 */
export function readModelAnswer(
  text: string,
  { read, modified }: TurnFiles,
  promptEventId: string,
): ModelNotes | undefined {
  const parsed = answerSchema.safeParse(parseAnswer(text));
  if (!parsed.success) return undefined;
  const { observations, summary } = parsed.data;
  const named = (files: readonly string[], of: readonly string[]): string[] => {
    const names = new Set(files.map(baseName));
    return of.filter((file) => names.has(baseName(file))).slice(0, 20);
  };
  return {
    observations: observations
      .filter(({ title, narrative }) => title.trim() && narrative.trim())
      .slice(0, maxObservations)
      .map(({ type, title, narrative, facts, concepts, files }) => ({
        type,
        title: tidy(title, 140),
        narrative: tidy(narrative, 1_500),
        facts: tidyAll(facts, 240),
        concepts: tidyAll(concepts, 60),
        filesRead: named(files, read),
        filesModified: named(files, modified),
        sourceEvents: [promptEventId],
        provenance: "model" as const,
      })),
    summary: {
      request: tidy(summary.request, 300),
      investigated: tidy(summary.investigated, 300),
      learned: tidy(summary.learned, 400),
      completed: tidy(summary.completed, 500),
      nextSteps: tidy(summary.nextSteps, 600),
      notes: tidy(summary.notes, 200),
      filesRead: read.slice(0, 20),
      filesModified: modified.slice(0, 20),
    },
  };
}

const wanted = new Set(["decision", "preference"]);

/**
 * The rule-based notes that a model's notes replace: those of the same family (requests or events). Families without a
 * new note keep theirs, and the user's own answers always stay.
 */
export function findReplaced<T extends { type: string; provenance: string }>(
  plain: readonly T[],
  notes: readonly Pick<Distilled, "type">[],
): T[] {
  const families = new Set(notes.map(({ type }) => wanted.has(type)));
  return plain.filter(({ type, provenance }) => provenance === "distil" && families.has(wanted.has(type)));
}

/** Models without structured output often wrap their answer in a code fence. */
function parseAnswer(text: string): unknown {
  const body = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  try {
    return parseJson(body);
  } catch {
    return undefined; // The schema rejects it.
  }
}

/** Redacted before it is truncated: a truncated secret is no longer recognised. */
function tidy(text: string, limit: number): string {
  return clip(redactText(text).text, limit);
}

function tidyAll(texts: readonly string[], limit: number): string[] {
  return texts
    .map((text) => tidy(text, limit))
    .filter(Boolean)
    .slice(0, maxEntries);
}

function makeJsonSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchema) as Record<string, unknown>;
  return schema;
}
