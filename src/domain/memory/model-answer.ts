import * as z from "zod";
import { memoryTypes } from "../../protocol/memory-kinds.ts";
import { redactText } from "../../redact/redact-text.ts";
import { parseJson } from "../../shared/json.ts";
import { clip, toOneLine } from "../../shared/text.ts";
import type { CandidatePlace, ModelCandidate } from "./model-candidates.ts";
import { isFaithfulTitle } from "./model-title.ts";
import type { Distilled, NoteType } from "./turn-record.ts";

const answerSchema = z.strictObject({
  notes: z.array(
    z.strictObject({
      ids: z.array(z.number()),
      type: z.enum(memoryTypes),
      title: z.string(),
    }),
  ),
});

/** JSON Schema of an answer, for providers that support structured output. */
export const answerJsonSchema: Record<string, unknown> = makeJsonSchema();

const maxNotes = 5;
const maxNarrative = 1_500;
const maxFacts = 5;

/**
 * Converts a model's choice to notes; undefined unless it has the requested form. A note consists of the chosen
 * statements, word for word; of the model's own words only the title is used, and only if it is faithful to them.
 */
export function readModelAnswer(
  text: string,
  candidates: readonly ModelCandidate[],
): Distilled[] | undefined {
  const parsed = answerSchema.safeParse(parseAnswer(text));
  if (!parsed.success) return undefined;
  const free = new Map(candidates.map((one) => [one.id, one]));
  const notes = parsed.data.notes.slice(0, maxNotes).flatMap(({ ids, type, title }) => {
    const chosen = ids.flatMap((id) => free.get(id) ?? []);
    for (const { id } of chosen) free.delete(id);
    // Answers are kept by rule, with the options that were not chosen.
    const main = chosen.find(({ place }) => place !== "answer");
    return main ? [makeModelNote(main, chosen, type, title)] : [];
  });
  return notes;
}

function makeModelNote(
  main: ModelCandidate,
  chosen: readonly ModelCandidate[],
  type: NoteType,
  title: string,
): Distilled {
  const inOrder = chosen.toSorted((a, b) => a.id - b.id);
  const own = toOneLine(redactText(title).text);
  const isOwnTitle = isFaithfulTitle(
    own,
    chosen.map(({ text }) => text),
  );
  return {
    ...main.note,
    type: mayHaveType(type, main.place) ? type : main.note.type,
    title: isOwnTitle ? own : main.note.title,
    narrative: clip([...new Set(inOrder.map(({ note }) => note.narrative))].join(" "), maxNarrative),
    facts: [...new Set(inOrder.flatMap(({ note }) => note.facts))].slice(0, maxFacts),
    concepts: [...new Set(inOrder.flatMap(({ note }) => note.concepts))],
    filesModified: [...new Set(inOrder.flatMap(({ note }) => note.filesModified))],
    provenance: "model",
  };
}

const wanted = new Set<string>(["decision", "preference"]);

/** Only the user's words can become a rule or a wish, and they cannot become an event. */
function mayHaveType(type: NoteType, place: CandidatePlace): boolean {
  const isUsers = place === "user" || place === "refusal";
  return isUsers ? wanted.has(type) : type !== "preference";
}

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

function makeJsonSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchema) as Record<string, unknown>;
  return schema;
}
