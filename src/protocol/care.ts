import * as z from "zod";

const moment = z.number().int().nonnegative();

/** `POST /api/forget`: notes by id, words, a file, a project, a stretch of time. */
export const forgetRequest = z
  .strictObject({
    ids: z.array(z.string().min(6).max(200)).min(1).max(100).optional(),
    query: z.string().trim().min(3).max(1_000).optional(),
    file: z.string().min(1).max(8192).optional(),
    /** Name or folder. Alone, or with a time: all of it; with words or a file: only there. */
    project: z.string().min(1).max(8192).optional(),
    from: moment.optional(),
    to: moment.optional(),
    /** Say what would go, and remove nothing. */
    dryRun: z.boolean().default(false),
  })
  .refine(
    ({ ids, query, file }) => [ids, query, file].filter((by) => by !== undefined).length <= 1,
    "ids, query and file exclude each other",
  )
  .refine(
    ({ ids, query, file, project, from, to }) =>
      (ids ?? query ?? file ?? project ?? from ?? to) !== undefined,
    "say what to forget: ids, query, file, project, from or to",
  )
  .refine(
    ({ ids, query, file, from, to }) => (ids ?? query ?? file) === undefined || (from ?? to) === undefined,
    "a stretch of time goes with a project only",
  )
  .refine(({ file, project }) => file === undefined || project !== undefined, "a file needs its project");
export type ForgetRequest = z.infer<typeof forgetRequest>;

export const forgetKinds = [
  "observations",
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

export interface ForgetReport {
  dryRun: boolean;
  /** How many rows of each kind. */
  removed: Record<(typeof forgetKinds)[number], number>;
  turns: number;
  /** Questions that are still open: they go when they are over. */
  waiting: number;
  /** What our own homeserver took back; null where there is none, or it is told later. */
  homeserver: { events: number; media: number; rows: number } | null;
  /** Some of the notes that go; empty once they are gone. */
  titles: string[];
  /** Lines of logs, and files that were deleted or rewritten. */
  logLines: number;
  files: string[];
  /** Files of the home in which the words still stand, because they are not ours to change. */
  remaining: string[];
  tookMs: number;
}

/** "3 observations, 1 summary", of what there was. */
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
  observations: "observation",
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
  observations: "observations",
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

/** How long raw events are kept, and what came of it. */
export interface RetentionState {
  eventDays: number;
  eventMegabytes: number;
  /** As of the last look; null before the first. */
  eventBytes: number | null;
  oldestEventAt: number | null;
  /** Events removed since the daemon started. */
  removed: number;
  ranAt: number | null;
}

export const compactSteps = ["raw events", "search index", "free pages", "log"] as const;

/** `GET /api/compact` */
export interface CompactState {
  state: "idle" | "running" | "done" | "failed";
  step: (typeof compactSteps)[number] | null;
  /** Of the step: how much is done, where that can be told. */
  share: number;
  bytesBefore: number;
  bytesAfter: number;
  eventsRemoved: number;
  startedAt: number | null;
  endedAt: number | null;
  error: string | null;
}

/** `POST /api/folders` */
export const foldersRequest = z.strictObject({
  action: z.enum(["on", "off", "sync", "clean"]),
  /** Somewhere in the checkout that is meant. */
  folder: z.string().min(1).max(8192),
  dryRun: z.boolean().default(false),
});
export type FoldersRequest = z.infer<typeof foldersRequest>;

/** `GET /api/folders`: every file that holds a section of ours. */
export interface FolderFilesView {
  projects: {
    project: string;
    /** A checkout of it: whoever cleans the project names this one. */
    root: string;
    /** Absolute. */
    files: string[];
  }[];
}

/** `dist/leave.js look`: the same and who runs, where there is no daemon to ask. */
export interface UnattendedView extends FolderFilesView {
  /** Processes of sessions that live. */
  pids: number[];
}

export interface FolderChange {
  /** Absolute. */
  file: string;
  did: "created" | "updated" | "stripped" | "deleted" | "left alone";
  /** Why it was left alone. */
  reason?: string;
}

export interface FoldersReport {
  project: string;
  isOn: boolean;
  dryRun: boolean;
  changes: FolderChange[];
  unchanged: number;
}
