import * as z from "zod";
import { hubForgotten } from "./hub.ts";
import { time } from "./fields.ts";

const moment = z.number().int().nonnegative();

/** The target to forget: notes by id, words, a file, a project or a time range. */
export const forgetRequest = z
  .strictObject({
    ids: z.array(z.string().min(4).max(200)).min(1).max(100).optional(),
    query: z.string().trim().min(3).max(1_000).optional().describe("these words, literally"),
    file: z.string().min(1).max(8192).optional(),
    project: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .describe(
        "name or folder; alone or with a time range, all of it is removed; with query or file, only matches in it",
      ),
    from: moment.optional(),
    to: moment.optional(),
    dryRun: z.boolean().default(false).describe("report what would be removed, and remove nothing"),
  })
  .refine(
    ({ ids, query, file }) => [ids, query, file].filter((by) => by !== undefined).length <= 1,
    "ids, query and file exclude each other",
  )
  .refine(
    ({ ids, query, file, project, from, to }) =>
      (ids ?? query ?? file ?? project ?? from ?? to) !== undefined,
    "ids, query, file, project, from or to is required",
  )
  .refine(
    ({ ids, query, file, from, to }) => (ids ?? query ?? file) === undefined || (from ?? to) === undefined,
    "from and to require a project",
  )
  .refine(({ file, project }) => file === undefined || project !== undefined, "file requires a project");
export type ForgetRequest = z.infer<typeof forgetRequest>;

export const forgetKinds = [
  "notes",
  "summaries",
  "prompts",
  "events",
  "messages",
  "titles",
  "injections",
  "deliveries",
  "questions",
  "notices",
  "mail",
  "tasks",
] as const;

const rowCount = z.number();

export const forgetReport = z.object({
  dryRun: z.boolean(),
  /** Number of rows of each kind. */
  removed: z.record(z.enum(forgetKinds), rowCount),
  turns: rowCount,
  /** Questions that are still open: they are removed when they are settled. */
  waiting: rowCount,
  /** Removed from our own homeserver; null if there is none, or if the removal happens later. */
  homeserver: z.object({ events: rowCount, media: rowCount, rows: rowCount }).nullable(),
  /** Titles of some of the notes to remove; empty once they are removed. */
  titles: z.array(z.string()),
  /** Removed log lines, and files that were deleted or rewritten. */
  logLines: rowCount,
  files: z.array(z.string()),
  /** Files of the home that still contain the words, because they are not ours to change. */
  remaining: z.array(z.string()),
  /** How many machines have removed it by way of the hub; null if no shared note is affected. */
  hub: hubForgotten.nullable(),
  tookMs: z.number(),
});
export type ForgetReport = z.infer<typeof forgetReport>;

/** "3 notes", "1 summary": the kinds that are not zero. */
export function listRemoved({ removed, homeserver }: Pick<ForgetReport, "removed" | "homeserver">): string[] {
  const counts: [n: number, one: string, many: string][] = [
    ...forgetKinds.map((kind): [number, string, string] => [removed[kind], singular[kind], plural[kind]]),
    [homeserver?.events ?? 0, "event in a room", "events in rooms"],
    [homeserver?.media ?? 0, "uploaded file", "uploaded files"],
    [homeserver?.rows ?? 0, "other entry of the homeserver", "other entries of the homeserver"],
  ];
  return counts.filter(([n]) => n > 0).map(([n, one, many]) => `${n} ${n === 1 ? one : many}`);
}

const singular: Record<(typeof forgetKinds)[number], string> = {
  notes: "note",
  summaries: "summary",
  prompts: "prompt",
  events: "raw event",
  messages: "last message",
  titles: "session title",
  injections: "injection",
  deliveries: "delivery",
  questions: "question",
  notices: "message to you",
  mail: "message",
  tasks: "task",
};
const plural: Record<(typeof forgetKinds)[number], string> = {
  notes: "notes",
  summaries: "summaries",
  prompts: "prompts",
  events: "raw events",
  messages: "last messages",
  titles: "session titles",
  injections: "injections",
  deliveries: "deliveries",
  questions: "questions",
  notices: "messages to you",
  mail: "messages",
  tasks: "tasks",
};

export const compactSteps = ["raw events", "search index", "free pages", "log"] as const;

export const compactState = z.object({
  state: z.enum(["idle", "running", "done", "failed"]),
  step: z.enum(compactSteps).nullable(),
  /** Progress within the step, from 0 to 1, if it is known. */
  share: z.number(),
  bytesBefore: z.number(),
  bytesAfter: z.number(),
  eventsRemoved: z.number(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  error: z.string().nullable(),
});
export type CompactState = z.infer<typeof compactState>;

export const foldersRequest = z.strictObject({
  action: z.enum(["on", "off", "sync", "clean"]),
  folder: z.string().min(1).max(8192).describe("any folder in the checkout"),
  dryRun: z.boolean().default(false),
});
export type FoldersRequest = z.infer<typeof foldersRequest>;

/** Every file that contains a Rookery section. */
export const folderFilesView = z.object({
  projects: z.array(
    z.object({
      project: z.string(),
      /** One of its checkouts: the `folder` to clean the project. */
      root: z.string(),
      /** Absolute. */
      files: z.array(z.string()),
    }),
  ),
});
export type FolderFilesView = z.infer<typeof folderFilesView>;

/** Output of `dist/leave.js look`, for when no daemon runs: the same, and the running sessions. */
export interface OfflineView extends FolderFilesView {
  /** Processes of live sessions. */
  pids: number[];
}

const folderChange = z.object({
  /** Absolute. */
  file: z.string(),
  did: z.enum(["created", "updated", "stripped", "deleted", "left alone"]),
  /** Why it was left alone. */
  reason: z.string().optional(),
});
export type FolderChange = z.infer<typeof folderChange>;

export const foldersReport = z.object({
  project: z.string(),
  isOn: z.boolean(),
  dryRun: z.boolean(),
  changes: z.array(folderChange),
  unchanged: z.number(),
});
export type FoldersReport = z.infer<typeof foldersReport>;
