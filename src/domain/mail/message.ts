import { asRecord } from "../../shared/json.ts";
import type { Machine } from "./machine.ts";

/** Our own field next to a message's text: other clients show the text and ignore the field. */
const ownField = "com.rookery";
export const taskField = "com.claudematrix.task";
export const leaseField = "com.claudematrix.lease";
export const agentStateType = "com.claudematrix.agent";

/** A message to be sent to a room. */
interface OutgoingMessage {
  id: string;
  agent: string | null;
  machine: Machine;
  body: string;
  kind: "text" | "task" | "lease";
  hops: number;
  extra: Record<string, unknown> | null;
  replyToEvent: string | null;
  /** User ids that are mentioned. */
  mentions: string[];
  /** Names of the agents it is for; those of other machines as `name@machine`. */
  names: string[];
}

/** The body is readable in every client; the structured data is in our own field. No fractions: Matrix rejects them. */
export function toContent(message: OutgoingMessage): Record<string, unknown> {
  const { id, agent, machine, body, kind, hops, extra, replyToEvent, mentions, names } = message;
  return {
    msgtype: kind === "text" ? "m.text" : "m.notice",
    body,
    [ownField]: {
      v: 1,
      id,
      agent,
      machine: { ...machine },
      hops,
      ...(names.length > 0 ? { to: names } : {}),
    },
    "m.mentions": mentions.length > 0 ? { user_ids: mentions } : {},
    ...(replyToEvent === null ? {} : { "m.relates_to": { "m.in_reply_to": { event_id: replyToEvent } } }),
    ...extra,
  };
}

/** The content of a timeline event; all of it is unverified. */
export interface IncomingMessage {
  /** Our own id, if the sender claims to be one of our agents; must be checked against sent messages. */
  claimedId: string | null;
  claimedAgent: string | null;
  /** The machine that it says it comes from. */
  claimedMachine: Machine | null;
  body: string;
  kind: "text" | "task" | "lease";
  hops: number;
  replyToEvent: string | null;
  /** User ids that it is addressed to; empty means everyone. */
  mentions: string[];
  /** Agents that it names, in our own field or by `@name` in the text. */
  names: string[];
  /** The names from our own field only: agents of the sender's machine, unless a name has another machine. */
  ownNames: string[];
  extra: Record<string, unknown> | null;
  /** A status event of ours: the message with the same fields follows. */
  hasMessage: boolean;
}

const maxBody = 60_000;
const maxHops = 1_000;

/** Undefined if the event is not a message or only edits an earlier one. */
export function readMessage(type: string, content: Record<string, unknown>): IncomingMessage | undefined {
  if (type === taskField || type === leaseField) return readStatusEvent(type, content);
  if (type !== "m.room.message") return undefined;
  const { body, msgtype } = content;
  const relation = asRecord(content["m.relates_to"]);
  if (typeof body !== "string" || body.trim() === "" || relation["rel_type"] === "m.replace")
    return undefined;
  const own = asRecord(content[ownField]);
  const text = stripFallback(body);
  const kind = taskField in content ? "task" : leaseField in content ? "lease" : "text";
  return {
    claimedId: asText(own["id"]),
    claimedAgent: asText(own["agent"]),
    claimedMachine: readMachine(own["machine"]),
    body: describeAttachment(msgtype, text).slice(0, maxBody),
    kind,
    hops: asCount(own["hops"]),
    replyToEvent: asText(asRecord(relation["m.in_reply_to"])["event_id"]),
    mentions: asTexts(asRecord(content["m.mentions"])["user_ids"]),
    names: [...new Set([...asTexts(own["to"]), ...findNames(text)])],
    ownNames: asTexts(own["to"]),
    extra:
      kind === "text"
        ? null
        : { [kind === "task" ? taskField : leaseField]: content[kind === "task" ? taskField : leaseField] },
    hasMessage: false,
  };
}

/** The content of a task or lease as an event of its own type. */
export function toStatusEvent(fields: Record<string, unknown>, machine: Machine): Record<string, unknown> {
  return { ...fields, [ownField]: { v: 1, machine: { ...machine } } };
}

function readStatusEvent(type: string, content: Record<string, unknown>): IncomingMessage | undefined {
  const extra = { [type]: content };
  const body = type === taskField ? describeTask(content) : describeLease(readLeaseFields(extra));
  if (body === undefined) return undefined;
  return {
    claimedId: null,
    claimedAgent: null,
    claimedMachine: readMachine(asRecord(content[ownField])["machine"]),
    kind: type === taskField ? "task" : "lease",
    hops: 0,
    replyToEvent: null,
    mentions: [],
    names: [],
    ownNames: [],
    body,
    extra,
    hasMessage: ownField in content,
  };
}

function describeTask(content: Record<string, unknown>): string | undefined {
  const [id, status] = [asText(content["task_id"]), asText(content["status"])];
  if (id === null || status === null) return undefined;
  const title = asText(content["title"]);
  return `Task ${id.slice(-6)}${title ? ` “${title}”` : ""} is ${status}.`;
}

function describeLease(fields: LeaseFields | undefined): string | undefined {
  if (!fields) return undefined;
  const { id, globs, expiresAt } = fields;
  return expiresAt === 0 ? `Lease ${id.slice(-6)} is released.` : `Lease on ${globs.join(", ")}.`;
}

/** The fields of a task from elsewhere, unverified; undefined without an id. */
export function readTaskFields(extra: Record<string, unknown> | null): TaskFields | undefined {
  const fields = asRecord(extra?.[taskField]);
  const id = asText(fields["task_id"]);
  if (id === null) return undefined;
  const { rev, progress_pct: progress } = fields;
  return {
    id,
    status: asText(fields["status"]),
    title: asText(fields["title"]),
    owner: asText(fields["owner"]),
    rev: Number.isSafeInteger(rev) && Number(rev) > 0 ? Number(rev) : null,
    progress:
      Number.isInteger(progress) && Number(progress) >= 0 && Number(progress) <= 100
        ? Number(progress)
        : null,
    result: typeof fields["result"] === "string" ? fields["result"].slice(0, maxBody) : null,
    files: Array.isArray(fields["files"]) ? asTexts(fields["files"]) : null,
  };
}

interface TaskFields {
  id: string;
  status: string | null;
  title: string | null;
  owner: string | null;
  rev: number | null;
  progress: number | null;
  result: string | null;
  files: string[] | null;
}

/** The fields of a lease from elsewhere, unverified; undefined if it is incomplete. */
export function readLeaseFields(extra: Record<string, unknown> | null): LeaseFields | undefined {
  const fields = asRecord(extra?.[leaseField]);
  const { expires_ts: expiresAt, globs, exclusive, holder } = fields;
  const id = asText(fields["lease_id"]);
  if (id === null || !Number.isSafeInteger(expiresAt)) return undefined;
  const usable = asTexts(globs).filter(isSimpleGlob).slice(0, maxGlobs);
  if (usable.length === 0 && expiresAt !== 0) return undefined;
  return {
    id,
    globs: usable,
    isExclusive: exclusive !== false,
    expiresAt: Number(expiresAt),
    holder:
      typeof holder === "string" && /^[a-z0-9._=/-]{1,100}(?:@[a-z0-9_-]{1,32})?$/i.test(holder)
        ? holder
        : null,
  };
}

interface LeaseFields {
  id: string;
  globs: string[];
  isExclusive: boolean;
  /** 0 once released. */
  expiresAt: number;
  /** The agent's name on the other machine. */
  holder: string | null;
}

const maxGlobs = 50;
const maxStars = 8;

/** Every edit is matched against it, so it must be quick to match; it is also shown to agents, on one line. */
function isSimpleGlob(glob: string): boolean {
  return (
    /^[\p{L}\p{M}\p{N} _.,/*?[\]{}!@+~-]+$/u.test(glob) && (glob.match(/[*?]/g) ?? []).length <= maxStars
  );
}

function readMachine(value: unknown): Machine | null {
  const { id, name } = asRecord(value);
  const isValid = isPlain(id) && isPlain(name);
  return isValid ? { id, name } : null;
}

function isPlain(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(value);
}

/** `@api-jay, look` and `@api-jay:rookery.local` both name api-jay; `@api-jay@laptop` only the one on that machine. */
export function findNames(text: string): string[] {
  const names = text
    .slice(0, maxBody)
    .matchAll(/(?<![\w@])@([a-z0-9][a-z0-9._=/-]*(?:@[a-z0-9][a-z0-9_-]*(?![\w.-]*\.\w))?)/gi);
  return [...new Set([...names].map(([, name = ""]) => name.toLowerCase().replace(/[._=/-]+$/, "")))];
}

/** Older clients quote the message they reply to above the reply. */
function stripFallback(body: string): string {
  return body.startsWith("> ") ? body.replace(/^(?:> .*\n)+\n?/, "") || body : body;
}

function describeAttachment(msgtype: unknown, body: string): string {
  const kinds: Record<string, string> = {
    "m.image": "a picture",
    "m.file": "a file",
    "m.audio": "a recording",
    "m.video": "a video",
  };
  const what = typeof msgtype === "string" && Object.hasOwn(kinds, msgtype) ? kinds[msgtype] : undefined;
  return what ? `[${what}: ${body}]` : body;
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => asText(each) ?? []) : [];
}

function asText(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 300 ? value : null;
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? Math.min(value, maxHops) : 0;
}
