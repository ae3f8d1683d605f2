import * as z from "zod";
import { memoryTypes } from "./memory-kinds.ts";
import { time } from "./fields.ts";

const line = z.string().max(4_000);
const list = z.array(line).max(200);

/** The version of `sharedNote` that this build writes. */
export const sharedNoteVersion = 1;

/** A note on the hub: without session, sources and worktree. Fields of later versions are ignored. */
export const sharedNote = z.object({
  type: z.enum(memoryTypes),
  title: line.min(1),
  narrative: z.string().max(100_000),
  facts: list,
  concepts: list,
  filesRead: list,
  filesModified: list,
  provenance: z.string().max(40),
  supersededBy: z.string().max(64).nullable(),
});
export type SharedNote = z.infer<typeof sharedNote>;

const project = z.string().min(1).max(8192).describe("name or folder of a project");
const memberName = z.string().min(1).max(65);

export const hubCreateRequest = z.strictObject({
  url: z.string().min(1).max(2_000).describe("postgres://user:password@host/database, of its owner"),
  ca: z
    .string()
    .max(100_000)
    .optional()
    .describe("PEM of the certificate authority, if the system does not trust it"),
});
export const hubCreated = z.object({ host: z.string(), hub: z.string() });

export const hubUpgradeRequest = z.strictObject({
  restored: z
    .boolean()
    .default(false)
    .describe("the database comes from a backup: every machine compares everything"),
});
export const hubUpgraded = z.object({ version: z.number() });

export const hubInviteRequest = z.strictObject({
  name: memberName,
  machine: z.boolean().default(false).describe("an account without a person, such as CI"),
  readOnly: z.boolean().default(false),
  admin: z.boolean().default(false).describe("may forget the notes of others"),
  projects: z
    .array(z.string().min(1).max(500))
    .max(100)
    .default([])
    .describe("only these projects of the hub"),
  expiresInDays: z.number().int().min(1).max(3_650).optional(),
});
export const hubInvitation = z.object({ code: z.string(), name: z.string(), expiresAt: time });

export const hubMembersView = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      device: z.string().nullable(),
      kind: z.enum(["person", "machine"]),
      state: z.enum(["invited", "joined", "revoked", "expired"]),
      isReadOnly: z.boolean(),
      seenAt: time.nullable(),
      notes: z.number(),
    }),
  ),
});

export const hubRevokeRequest = z.strictObject({
  name: memberName.describe("a member, a machine, or member@machine"),
});
export const hubRevoked = z.object({ machines: z.number() });
export const hubScrubbed = z.object({
  /** False if the role may not switch the write-ahead log. */
  log: z.boolean(),
});

export const hubJoinRequest = z.strictObject({
  code: z.string().min(5).max(200_000),
  device: z.string().min(1).max(64).optional().describe("name of this machine; default: its host name"),
  shallow: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("only the newest notes of each project"),
});

const hubProjectView = z.object({
  id: z.string(),
  name: z.string(),
  sent: z.number(),
  /** Notes of others that are here. */
  received: z.number(),
  /** Their members, those with most notes first. */
  authors: z.array(z.object({ name: z.string(), notes: z.number() })),
  waiting: z.number(),
  setAside: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** Records of the hub that were not applied here yet. */
  behind: z.number(),
  /** Machines with this project, this one included, at the last contact. */
  machines: z.number(),
});

export const hubStatus = z.object({
  state: z.enum(["none", "joined", "revoked"]),
  /** Whether this home can administer a hub. */
  isAdmin: z.boolean(),
  host: z.string().nullable(),
  member: z.string().nullable(),
  device: z.string().nullable(),
  projects: z.array(hubProjectView),
  contactAt: time.nullable(),
  error: z.string().nullable(),
});
export type HubStatus = z.infer<typeof hubStatus>;

/** The hub in `rookery status`: cheap to read. */
export const hubSummary = hubStatus.pick({ contactAt: true, error: true }).extend({
  state: z.enum(["joined", "revoked"]),
  host: z.string(),
  member: z.string(),
  device: z.string(),
  /** Names of the shared projects. */
  projects: z.array(z.string()),
  /** Changed notes that the hub does not have yet. */
  waiting: z.number(),
});
export type HubSummary = z.infer<typeof hubSummary>;

export const shareRequest = z.strictObject({
  project,
  key: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe("identity of the project on the hub; default: its remote"),
  with: z
    .array(z.enum(["preferences"]))
    .default([])
    .describe("kinds of notes that otherwise stay here"),
  dryRun: z.boolean().default(false).describe("report what would be shared, and share nothing"),
});

export const sharePreview = z.object({
  project: z.string(),
  key: z.string(),
  /** The project on the hub; null if sharing creates it. */
  known: z.object({ members: z.number(), notes: z.number() }).nullable(),
  notes: z.number(),
  /** Notes that stay here: preferences, unless they are shared too. */
  staying: z.number(),
  /** Secrets and private spans that redaction finds now and removes on the way out. */
  hidden: z.number(),
  examples: z.array(z.string()),
  isShared: z.boolean(),
});
export type SharePreview = z.infer<typeof sharePreview>;

export const unshareRequest = z.strictObject({
  project,
  recall: z
    .boolean()
    .default(false)
    .describe("also remove your notes of it from the hub and from the others"),
});
export const unshared = z.object({ project: z.string(), recalled: z.number(), dropped: z.number() });

/** How far a deletion has reached. */
export const hubForgotten = z.object({
  /** Records removed from the hub; `waiting` ones follow when it can be reached. */
  removed: z.number(),
  waiting: z.number(),
  /** Machines that have erased them, of all that have the projects. */
  machines: z.object({ done: z.number(), total: z.number(), missing: z.array(z.string()) }),
});
export type HubForgotten = z.infer<typeof hubForgotten>;
