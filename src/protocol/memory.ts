import * as z from "zod";
import { count, host, project, queryTime, time, zeroOrOne } from "./fields.ts";
import { type MemoryKind, memoryKinds, memoryTypes } from "./memory-kinds.ts";

/** `observation` is the older name of a note. */
export const queryKind = z
  .enum([...memoryKinds, "observation"])
  .transform((kind): MemoryKind => (kind === "observation" ? "note" : kind))
  .describe(memoryKinds.join(", "));

export const searchRequest = z.strictObject({
  q: z
    .string()
    .max(8_000)
    .default("")
    .describe('words; "exact phrase"; -not. Empty with a file, folder, session or time: the newest'),
  typing: zeroOrOne.describe("1: the user is still typing, so the last word matches as a prefix"),
  kind: queryKind.optional(),
  project: project.optional(),
  type: z.enum(memoryTypes).optional(),
  file: z.string().max(8192).optional().describe("a path, or the end of one"),
  folder: z.string().max(8192).optional().describe("files directly in it"),
  session: z.string().max(200).optional().describe("session id"),
  host: host.optional(),
  from: queryTime.optional(),
  to: queryTime.optional(),
  limit: z.coerce.number<number | string>().int().min(1).max(100).default(10),
});

export const searchResult = z.object({
  id: z.string(),
  kind: z.enum(memoryKinds),
  title: z.string(),
  type: z.string().nullable(),
  project: z.string(),
  session: z.string().nullable(),
  createdAt: time,
  /** Estimated size of its full text. */
  tokens: z.number(),
  score: z.number(),
  snippet: z.string(),
  /** The words of the query that it contains; empty if it is only similar. */
  matched: z.array(z.string()),
  /** Why it was found: words of the query, a similar text, other matches in its session. */
  why: z.string(),
  /** The note that replaced it. */
  supersededBy: z.string().nullable(),
  /** The colleague or other machine that it came from; null if it was made here. */
  author: z.string().nullable(),
});
export type SearchResult = z.infer<typeof searchResult>;

export const noteCreate = z.strictObject({
  project: z.string().min(1).max(8192).describe("name or folder of a project; a new name makes a new one"),
  session: z.string().max(200).optional(),
  type: z.enum(memoryTypes).default("discovery"),
  title: z.string().max(300).optional().describe("default: the first sentence"),
  text: z.string().min(1).max(100_000),
  files: z.array(z.string().max(8192)).max(50).default([]),
  createdAt: z
    .number()
    .int()
    .positive()
    .max(2 ** 48 - 1) // The largest time that a UUIDv7 can hold.
    .optional(),
});
export type NoteCreate = z.infer<typeof noteCreate>;

export const notePatch = z.strictObject({
  type: z.enum(memoryTypes).optional(),
  title: z.string().min(1).max(300).optional(),
  text: z.string().min(1).max(100_000).optional(),
  supersededBy: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .optional()
    .describe("the newer note that replaces it; null reverts that"),
  pinned: z.boolean().optional().describe("pinned notes come first at the start of every session"),
});

export const noteView = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  text: z.string(),
  facts: z.array(z.string()),
  concepts: z.array(z.string()),
  filesRead: z.array(z.string()),
  filesModified: z.array(z.string()),
  project: z.string(),
  worktree: z.string().nullable(),
  session: z.string().nullable(),
  /** The coding agent of that session; "" if it is not known. */
  hostLabel: z.string(),
  promptNumber: z.number().nullable(),
  sourceEvents: z.array(z.string()),
  tokens: z.number(),
  provenance: z.string(),
  createdAt: time,
  supersededBy: z.string().nullable(),
  supersededBecause: z.string().nullable(),
  /** When the user pinned it; null for a note that is not pinned. */
  pinnedAt: time.nullable(),
  /** The notes that it replaced. */
  supersedes: z.array(z.string()),
  /** The colleague or other machine that it came from; null if it was made here. */
  author: z.string().nullable(),
  /** Authors of notes that contradict it; null stands for this machine. */
  disputedBy: z.array(z.string().nullable()),
});
export type NoteView = z.infer<typeof noteView>;

/** The kinds that can be opened by id: search finds all of them but sessions. */
const itemKinds = [...memoryKinds, "session"] as const;

/** Anything in memory, in full. */
const memoryItem = z.object({
  id: z.string(),
  kind: z.enum(itemKinds),
  type: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  project: z.string(),
  session: z.string().nullable(),
  createdAt: time,
  /** All fields of the note, if it is one. */
  note: noteView.nullable(),
});
export type MemoryItem = z.infer<typeof memoryItem>;

export const itemsRequest = z.strictObject({
  ids: z.string().min(1).max(2_000).describe("ids or unambiguous suffixes, separated by commas; at most 20"),
});

export const itemsView = z.object({
  items: z.array(memoryItem),
  missing: z.array(z.object({ id: z.string(), reason: z.enum(["unknown", "ambiguous"]) })),
});
export type ItemsView = z.infer<typeof itemsView>;

export const timelineView = z.object({
  around: z.string(),
  before: z.array(noteView),
  at: memoryItem,
  after: z.array(noteView),
  /** The notes that replaced each other, oldest first; empty if none did. */
  chain: z.array(noteView),
});

const contextCount = (max: number) => z.coerce.number<number | string>().int().min(0).max(max).optional();

export const contextRequest = z.strictObject({
  project: z.string().min(1).max(8192).describe("name or folder of a project"),
  notes: contextCount(500).describe("how many notes; default: as configured"),
  observations: contextCount(500).describe("the older name of `notes`"),
  summaries: contextCount(50).describe("how many summaries; default: as configured"),
  tokens: contextCount(2400).describe("token budget; default: as configured"),
});

const contextRowView = z.object({
  section: z.enum(["pinned", "rules", "decisions", "knowledge", "work", "open", "diary"]),
  /** Id of a note, or of a session's summary. */
  id: z.string(),
  kind: z.enum(["note", "session"]),
  text: z.string(),
  tokens: z.number(),
  score: z.number(),
  /** The factors of the score, by name. */
  parts: z.record(z.string(), z.number()),
});
export type ContextRowView = z.infer<typeof contextRowView>;

/** The context of a session that starts, and why each row is in it. */
export const contextView = z.object({
  text: z.string(),
  tokens: z.number(),
  rows: z.array(contextRowView),
});
export type ContextView = z.infer<typeof contextView>;

export const injectionView = z.object({
  session: z.string(),
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  point: z.string(),
  reason: z.string(),
  score: z.number().nullable(),
  tokens: z.number(),
  at: time,
});

const projectMode = z.enum(["on", "off", "isolated"]);
/** Whether an edit under another agent's lease is warned about or blocked. */
const leaseMode = z.enum(["warn", "block"]);

export const projectView = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  mode: projectMode,
  leases: leaseMode,
  /** How many there are. */
  notes: z.number(),
});
export type ProjectView = z.infer<typeof projectView>;

export const projectPatch = z
  .strictObject({ mode: projectMode.optional(), leases: leaseMode.optional() })
  .refine(({ mode, leases }) => mode ?? leases, "mode or leases is required");

export const dayRequest = z.object({ from: queryTime.default(0), host: host.optional() });

export const dayView = z.object({
  from: time,
  sessions: z.array(
    z.object({
      id: z.string(),
      host: z.string(),
      agent: z.string(),
      project: z.string(),
      branch: z.string().nullable(),
      status: z.string(),
      turns: z.array(
        z.object({ request: z.string(), completed: z.string(), nextSteps: z.string(), at: time }),
      ),
    }),
  ),
});
export type DayView = z.infer<typeof dayView>;

export const timelineRequest = z.object({
  around: z.string().min(1).describe("id of anything in memory, or an unambiguous suffix"),
  limit: count
    .default(5)
    .transform((value) => Math.min(value, 50))
    .describe("how many on each side, at most 50"),
});
