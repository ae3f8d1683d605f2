import * as z from "zod";
import { memoryTypes } from "./memory-kinds.ts";

export const exportRequest = z.strictObject({
  project: z.string().max(8192).optional(),
  since: z.coerce.number<number | string>().int().nonnegative().optional(),
});
export type ExportRequest = z.infer<typeof exportRequest>;

const id = z.string().min(1).max(300);
const text = z.string().max(4_000_000);
const moment = z.number().int();
const list = z.array(text).max(10_000);
const origin = z.string().max(300);

/** The lines of an export, one row each. The first says what the file is, the last how many rows it has. */
export const portableRow = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("rookery-export"), version: z.literal(1), at: moment, origin }),
  z.strictObject({
    kind: z.literal("project"),
    id,
    path: text,
    name: text,
    fingerprint: text.nullable(),
    mode: z.enum(["on", "off", "isolated"]),
    created_at: moment,
    origin,
  }),
  z.strictObject({
    kind: z.literal("session"),
    id,
    project: text,
    cwd: text.nullable(),
    source: text,
    model: text.nullable(),
    title: text.nullable(),
    started_at: moment,
    last_event_at: moment,
    origin,
    branch: text.nullable().default(null), // Exports of the first version do not have it.
  }),
  z.strictObject({
    kind: z.literal("turn"),
    id,
    session_id: id,
    prompt_id: id.nullable(),
    number: z.number().int(),
    origin_kind: z.enum(["human", "machine", "unseen"]),
    outcome: z.enum(["completed", "failed", "interrupted", "abandoned"]).nullable(),
    started_at: moment,
    ended_at: moment.nullable(),
    transcript_key: id.nullable(),
    origin,
  }),
  z.strictObject({
    kind: z.literal("prompt"),
    event_id: id,
    session_id: id,
    turn_id: id,
    prompt_id: id.nullable(),
    number: z.number().int(),
    text,
    machine: z.number().int(),
    occurred_at: moment,
  }),
  z.strictObject({
    kind: z.literal("summary"),
    id,
    project_id: id,
    session_id: id,
    turn_id: id.nullable(),
    request: text,
    investigated: text,
    learned: text,
    completed: text,
    next_steps: text,
    notes: text,
    files_read: list,
    files_modified: list,
    provenance: text,
    created_at: moment,
    origin,
  }),
  z.strictObject({
    kind: z.literal("observation"),
    id,
    project_id: id,
    worktree: text.nullable(),
    session_id: id.nullable(),
    turn_id: id.nullable(),
    prompt_number: z.number().int().nullable(),
    type: z.enum(memoryTypes),
    title: text,
    narrative: text,
    facts: list,
    concepts: list,
    files_read: list,
    files_modified: list,
    source_events: list,
    tokens: z.number().int(),
    provenance: text,
    hash: text,
    created_at: moment,
    updated_at: moment,
    origin,
    superseded_by: id.nullable(),
    superseded_at: moment.nullable(),
    superseded_because: text.nullable(),
    // Exports of earlier versions do not have these.
    worth: z.number().nullable().default(null),
    pinned_at: moment.nullable().default(null),
    author: text.nullable().default(null),
    by_machine: z.number().int().min(0).max(1).default(0),
  }),
  z.strictObject({ kind: z.literal("end"), rows: z.number().int() }),
]);
export type ExportLine = z.infer<typeof portableRow>;
