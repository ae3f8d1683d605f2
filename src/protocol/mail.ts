import * as z from "zod";

const name = z.string().min(1).max(300);
const text = z.string().trim().min(1).max(50_000);

/** The process of the host that speaks for an agent; without it, the person at this machine speaks. */
const hostPid = z.number().int().positive().optional();

/** Made by whoever writes it. Sent again under the same id, because an answer was lost, it is the same thing. */
const id = z.uuid().toLowerCase().optional();

export const messageCreate = z.strictObject({
  id,
  to: name.describe("an agent's name, `project` for everybody in it, a room's name, or @user:server"),
  text,
  replyTo: z.string().max(100).optional(),
  hostPid,
});

export const roomCreate = z.strictObject({
  name: z.string().min(1).max(60),
  members: z.array(name).max(200).default([]),
});

export const roomPatch = z.strictObject({
  /** Messages older than this are removed; null keeps all. */
  keepDays: z.number().int().min(1).max(3650).nullable(),
});

export const taskCreate = z.strictObject({
  id,
  project: name.optional(),
  title: z.string().trim().min(1).max(300),
  to: name.optional().describe("whom it is for"),
  status: z.string().max(30).optional(),
  files: z.array(z.string().max(1000)).max(100).optional(),
  hostPid,
});

export const taskPatch = z.strictObject({
  status: z.string().max(30).optional(),
  title: z.string().trim().min(1).max(300).optional(),
  owner: name.optional(),
  progress: z.number().int().min(0).max(100).optional(),
  result: text.optional(),
  files: z.array(z.string().max(1000)).max(100).optional(),
  rev: z.number().int().positive().optional(),
  hostPid,
});

export const leaseCreate = z.strictObject({
  globs: z.array(z.string().min(1).max(500)).min(1).max(50),
  exclusive: z.boolean().default(true),
  minutes: z
    .number()
    .min(1)
    .max(24 * 60)
    .default(30),
  taskId: z.string().max(100).optional(),
  hostPid: z.number().int().positive(),
});

export const personCreate = z.strictObject({
  name: z.string().regex(/^[a-z0-9._=/-]{1,60}$/, "small letters, digits and . _ = / - only"),
});

export interface RoomView {
  id: string;
  kind: "project" | "direct" | "group";
  name: string;
  keepDays: number | null;
  lastMessageAt: number | null;
  last: { from: string; text: string } | null;
  /** In a room of two that the person is in: the other one, an agent by its name. */
  partner: string | null;
  /** Whether the person is in it. Where two agents talk they only read along. */
  isYours: boolean;
  /** What others said in it since the person last read it. */
  unread: number;
}

/** `GET /api/rooms/:room/members` */
export interface MemberView {
  name: string;
  isAgent: boolean;
  isYou: boolean;
}

export interface MessageView {
  id: string;
  room: string | null;
  to: string;
  from: string;
  /** Whether one of our agents wrote it. */
  isAgent: boolean;
  /** Whether the person at this machine wrote it, here or in a client. */
  isMine: boolean;
  kind: "text" | "task" | "lease";
  text: string;
  replyTo: string | null;
  state: "queued" | "sent" | "failed" | "received";
  error: string | null;
  at: number;
  /** The agents it is for, and how far it got with each. */
  deliveries: { agent: string; state: "queued" | "injected" | "confirmed" }[];
}

export interface TaskView {
  id: string;
  project: string;
  title: string;
  requester: string;
  owner: string | null;
  status: string;
  /** What it can become from here. */
  next: string[];
  rev: number;
  progress: number | null;
  result: string | null;
  files: string[];
  createdAt: number;
  updatedAt: number;
}

export interface LeaseView {
  id: string;
  project: string;
  holder: string;
  globs: string[];
  exclusive: boolean;
  expiresAt: number;
  fence: number;
  taskId: string | null;
}

export interface MatrixView {
  homeserver: string;
  /** What people type into a client. */
  url: string | null;
  serverName: string;
  owner: string;
  following: { agent: string; trouble: string }[];
  queued: number;
  failed: number;
  /** Null where the homeserver is not ours to look into. */
  users: number | null;
  rooms: number | null;
  events: number | null;
}

/** Shown once: the password is kept by the homeserver as a hash only. */
export interface PersonView {
  userId: string;
  password: string;
  url: string;
  isNew: boolean;
}
