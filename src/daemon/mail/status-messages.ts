import type { Lease } from "../../domain/mail/lease.ts";
import { leaseField, taskField } from "../../domain/mail/message.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { TaskRow } from "../../store/tasks.ts";
import type { NewMessage } from "./mail.ts";

/** The state of a task, as text for people and as data for machines. `qualify` adds this machine to its agents' names. */
export function describeTask(
  from: AgentRow | undefined,
  task: TaskRow,
  to: string,
  qualify: (name: string) => string,
): NewMessage {
  const { id, state, title, owner, rev, progress, result, files } = task;
  const fields = {
    v: 1,
    task_id: id,
    status: state,
    title,
    owner: owner === null ? null : qualify(owner),
    rev,
    progress_pct: progress,
    result,
    files,
  };
  const share = progress === null ? "" : `, ${progress} %`;
  const text = `Task ${id.slice(-6)} “${title}” is ${state}${owner ? `, with ${owner}` : ""}${share}.${result ? `\n${result}` : ""}`;
  return { from, to, text, kind: "task", extra: { [taskField]: fields } };
}

/** In local time, with its zone: most readers are at this machine, but not all. */
export function formatMinute(at: number): string {
  const parts = {
    day: "2-digit",
    month: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  const found = new Intl.DateTimeFormat("en", {
    ...parts,
    year: "numeric",
    timeZoneName: "short",
  }).formatToParts(at);
  const { year, month, day, hour, minute, timeZoneName } = Object.fromEntries(
    found.map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

export function describeLease(
  from: AgentRow,
  lease: Lease,
  isReleased: boolean,
  qualify: (name: string) => string,
): NewMessage {
  const { id, globs, isExclusive, expiresAt, fence, taskId } = lease;
  const expires = isReleased ? 0 : expiresAt;
  const holder = qualify(from.name);
  const fields = { v: 1, lease_id: id, globs, exclusive: isExclusive, holder, task_id: taskId };
  const text = isReleased
    ? `${from.name} has released ${globs.join(", ")}.`
    : `${from.name} has taken ${globs.join(", ")} until ${formatMinute(expiresAt)}.`;
  const extra = { [leaseField]: { ...fields, expires_ts: expires, fence } };
  return { from, to: "project", text, kind: "lease", extra };
}
