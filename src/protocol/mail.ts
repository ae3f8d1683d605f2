import * as z from "zod";
import { hostPid, time } from "./fields.ts";
import { deliveryState } from "./api.ts";

const name = z.string().min(1).max(300);
const text = z.string().trim().min(1).max(50_000);

/** Chosen by the sender, so that a request whose answer was lost can be sent again. */
const id = z
  .uuid()
  .toLowerCase()
  .optional()
  .describe("chosen by the sender: a repeated request changes nothing");

export const messageCreate = z.strictObject({
  id,
  to: name.describe(
    "an agent, `project` for everybody in it, `user` for the person, a room, or @user:server",
  ),
  text,
  replyTo: z.string().max(100).optional().describe("id of a message"),
  hostPid: hostPid.optional(),
});

export const roomCreate = z.strictObject({
  name: z.string().min(1).max(60),
  members: z.array(name).max(200).default([]).describe("agents, or @user:server"),
});

export const roomPatch = z.strictObject({
  keepDays: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .optional()
    .describe("older messages are removed; null keeps all"),
  muted: z.boolean().optional().describe("whether its unread messages are left out of the total"),
});

export const taskCreate = z.strictObject({
  id,
  project: name.optional(),
  title: z.string().trim().min(1).max(300),
  to: name.optional().describe("who it is for"),
  status: z.string().max(30).optional(),
  files: z.array(z.string().max(1000)).max(100).optional(),
  hostPid: hostPid.optional(),
});

export const taskPatch = z.strictObject({
  status: z.string().max(30).optional(),
  title: z.string().trim().min(1).max(300).optional(),
  owner: name.optional(),
  progress: z.number().int().min(0).max(100).optional(),
  result: text.optional(),
  files: z.array(z.string().max(1000)).max(100).optional(),
  rev: z.number().int().positive().optional().describe("`task_changed` unless it is the newest revision"),
  hostPid: hostPid.optional(),
});

export const leaseCreate = z.strictObject({
  globs: z.array(z.string().min(1).max(500)).min(1).max(50).describe("From the project's root: src/api/**"),
  exclusive: z.boolean().default(true),
  minutes: z
    .number()
    .min(1)
    .max(24 * 60)
    .default(30),
  taskId: z.string().max(100).optional(),
  hostPid: z.number().int().positive().describe("process id of the session that holds it"),
});

export const personCreate = z.strictObject({
  name: z.string().regex(/^[a-z0-9._=/-]{1,60}$/, "lowercase letters, digits and . _ = / - only"),
});

export const roomView = z.object({
  id: z.string(),
  kind: z.enum(["project", "direct", "group"]),
  name: z.string(),
  /** Set if another room has the same name: the folder of its project, or the time of its creation. */
  detail: z.string().nullable(),
  keepDays: z.number().nullable(),
  lastMessageAt: time.nullable(),
  last: z.object({ from: z.string(), text: z.string() }).nullable(),
  /** The other member of a direct chat that the person is in; an agent by its name. */
  partner: z.string().nullable(),
  /** Whether the person is in it; direct chats between agents are read-only for them. */
  isYours: z.boolean(),
  /** Whether its unread messages are left out of the total. */
  isMuted: z.boolean(),
  /**
   * Messages for the person since they last read it: in a direct chat all of others; in a shared room messages of
   * people, mentions of the person and replies to them.
   */
  unread: z.number(),
  /** The other new messages of a shared room: agents among themselves. */
  chatter: z.number(),
});
export type RoomView = z.infer<typeof roomView>;

export const memberView = z.object({ name: z.string(), isAgent: z.boolean(), isYou: z.boolean() });
export type MemberView = z.infer<typeof memberView>;

export const messageView = z.object({
  id: z.string(),
  room: z.string().nullable(),
  to: z.string(),
  /** For an agent without a running session, which reads it when it returns. */
  isAbsent: z.boolean(),
  from: z.string(),
  /** Whether one of our agents wrote it. */
  isAgent: z.boolean(),
  /** Whether the person at this machine wrote it, here or in a client. */
  isMine: z.boolean(),
  kind: z.enum(["text", "task", "lease"]),
  text: z.string(),
  replyTo: z.string().nullable(),
  state: z.enum(["queued", "sent", "failed", "received"]),
  error: z.string().nullable(),
  at: time,
  /** The agents it is for, and its state with each. */
  deliveries: z.array(z.object({ agent: z.string(), state: deliveryState })),
});
export type MessageView = z.infer<typeof messageView>;

export const taskView = z.object({
  id: z.string(),
  project: z.string(),
  title: z.string(),
  requester: z.string(),
  owner: z.string().nullable(),
  status: z.string(),
  /** The states that may follow. */
  next: z.array(z.string()),
  rev: z.number(),
  progress: z.number().nullable(),
  result: z.string().nullable(),
  files: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
});
export type TaskView = z.infer<typeof taskView>;

export const taskChanged = taskView.extend({
  /** `here`: the hub cannot be reached, so another machine may change it too. Null: the project is not shared. */
  known: z.enum(["everywhere", "here"]).nullable(),
});

export const leaseView = z.object({
  id: z.string(),
  project: z.string(),
  holder: z.string(),
  globs: z.array(z.string()),
  exclusive: z.boolean(),
  expiresAt: time,
  fence: z.number(),
  taskId: z.string().nullable(),
});
export type LeaseView = z.infer<typeof leaseView>;

export const leaseGrant = leaseView.extend({
  /** `here`: the hub did not answer, so another machine may grant the same files. Null: the project is not shared. */
  known: z.enum(["everywhere", "here"]).nullable(),
});

export const matrixView = z.object({
  homeserver: z.string(),
  /** The address that people type into a client. */
  url: z.string().nullable(),
  serverName: z.string(),
  owner: z.string(),
  following: z.array(z.object({ agent: z.string(), trouble: z.string() })),
  /** Restrictions of the homeserver, seen since the daemon started. */
  limits: z.array(z.string()),
  /** The name of this machine in addresses such as `api-jay@laptop`. */
  machine: z.string(),
  queued: z.number(),
  failed: z.number(),
  /** Null if the homeserver is not our own. */
  users: z.number().nullable(),
  rooms: z.number().nullable(),
  events: z.number().nullable(),
});
export type MatrixView = z.infer<typeof matrixView>;

export const matrixCheckRequest = z.strictObject({
  homeserver: z.url(),
  accessToken: z.string().min(1).max(2_000).optional(),
  user: z.string().max(300).optional(),
  password: z.string().max(2_000).optional(),
  /** The token is the one of an application service. */
  isService: z.boolean().optional(),
});

export const matrixCheck = z.object({ userId: z.string() });

/** Shown once: the homeserver keeps only a hash of the password. */
export const invitedPerson = z.object({
  userId: z.string(),
  password: z.string(),
  url: z.string(),
  isNew: z.boolean(),
});
