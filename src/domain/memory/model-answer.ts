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

/** The shape of an answer, for providers that hold a model to it. */
export const answerJsonSchema: Record<string, unknown> = makeJsonSchema();

/** Of the turn that was asked about. */
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
 * What a model answered, as notes: undefined unless the whole of it has the right shape. Whatever it says is cut to
 * size and redacted like any other text from outside; files are only those of the turn itself.
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
 * Which plain notes a model's notes take the place of: those of the same family (what was wanted, what happened). A
 * family it says nothing about keeps what it has, and the user's own answers always stay.
 */
export function findReplaced<T extends { type: string; provenance: string }>(
  plain: readonly T[],
  notes: readonly Pick<Distilled, "type">[],
): T[] {
  const families = new Set(notes.map(({ type }) => wanted.has(type)));
  return plain.filter(({ type, provenance }) => provenance === "distil" && families.has(wanted.has(type)));
}

/** Models that are not held to a schema like to wrap their answer in a code fence. */
function parseAnswer(text: string): unknown {
  const body = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  try {
    return parseJson(body);
  } catch {
    return undefined; // The schema says no to it.
  }
}

/** Redacted whole, then cut: a secret that is cut is no longer known for one. */
function tidy(text: string, most: number): string {
  return clip(redactText(text).text, most);
}

function tidyAll(texts: readonly string[], most: number): string[] {
  return texts
    .map((text) => tidy(text, most))
    .filter(Boolean)
    .slice(0, maxEntries);
}

function makeJsonSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchema) as Record<string, unknown>;
  return schema;
}
