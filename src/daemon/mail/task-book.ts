import { canTransition, type TaskState } from "../../domain/mail/task.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { TaskRow } from "../../store/tasks.ts";
import type { Bus } from "../runtime/bus.ts";
import { findById } from "../runtime/find-by-id.ts";

interface TaskChange {
  state?: TaskState | undefined;
  title?: string | undefined;
  owner?: string | undefined;
  progress?: number | undefined;
  result?: string | undefined;
  files?: string[] | undefined;
  /** The revision that the change applies to; without it, the newest. */
  rev?: number | undefined;
  /** The revision that other machines know it by; ignored unless it is higher than the next one here. */
  newRev?: number | undefined;
}

type NewTask = Omit<TaskChange, "rev"> & { id?: string | undefined };

/** Tasks that agents and people give each other. */
export interface TaskBook {
  create(project: ProjectRow, requester: string, title: string, change: NewTask): TaskRow;
  /** The task that was already created with this id. Throws `id_taken` if its requester or title differs. */
  findCreated(id: string | undefined, requester: string, title: string): TaskRow | undefined;
  /**
   * A repeated change is applied once and returns the task at its current revision. Throws `task_changed` for a
   * revision that is not the newest, and for an invalid transition.
   */
  change(id: string, change: TaskChange): TaskRow;
  /** The task before a change and after it, with the checks of `change`; stores nothing. The same one if nothing changes. */
  plan(id: string, change: TaskChange): { before: TaskRow; after: TaskRow };
  find(id: string): TaskRow;
}

export function openTaskBook(store: Store, bus: Pick<Bus, "publish">, clock: Clock): TaskBook {
  const find = (id: string): TaskRow =>
    findById(store.tasks, id, { noun: "task", missing: "task_not_found", minLength: 4 });

  function announce({ id: taskId, title, state, owner }: TaskRow): void {
    bus.publish({ type: "task.changed", taskId, title, state, owner });
  }

  function plan(
    id: string,
    { state, title, owner, progress, result, files, rev, newRev = 0 }: TaskChange,
  ): { before: TaskRow; after: TaskRow } {
    const before = find(id);
    const next = state ?? before.state;
    const changed: TaskRow = {
      ...before,
      state: next,
      title: title === undefined ? before.title : clean(title),
      owner: owner === undefined ? before.owner : clean(owner),
      progress: progress ?? (next === "completed" ? 100 : before.progress),
      result: result === undefined ? before.result : clean(result),
      files: files?.map(clean) ?? before.files,
    };
    if (JSON.stringify(changed) === JSON.stringify(before)) return { before, after: before };
    if (rev !== undefined && rev !== before.rev)
      throw new AppError("task_changed", `Task ${id} is now at revision ${before.rev}, not ${rev}.`);
    if (!canTransition(before.state, next))
      throw new AppError("task_changed", `A task that is ${before.state} cannot become ${next}.`);
    return { before, after: { ...changed, rev: Math.max(before.rev + 1, newRev), updatedAt: clock() } };
  }

  return {
    find,
    findCreated(id, requester, title) {
      const task = id === undefined ? undefined : store.tasks.byId(id);
      if (task && (task.requester !== requester || task.title !== clean(title)))
        throw new AppError("id_taken", `Another task already has the id ${id}.`);
      return task;
    },
    create(project, requester, title, { id, state, owner, progress, result, files, newRev }) {
      const task: TaskRow = {
        id: id ?? makeId(clock()),
        projectId: project.id,
        title: clean(title),
        requester,
        owner: owner === undefined ? null : clean(owner),
        state: state ?? "submitted",
        rev: Math.max(1, newRev ?? 1),
        progress: progress ?? null,
        result: result === undefined ? null : clean(result),
        files: files?.map(clean) ?? [],
        eventId: null,
        createdAt: clock(),
        updatedAt: clock(),
      };
      store.tasks.insert(task);
      announce(task);
      return task;
    },
    plan,
    change(id, change) {
      const { before, after } = plan(id, change);
      if (after === before) return before;
      if (!store.tasks.update(after, before.rev))
        throw new AppError("task_changed", `Task ${id} was changed at the same time.`);
      announce(after);
      return after;
    },
  };
}

function clean(text: string): string {
  return redactText(text).text.trim();
}
