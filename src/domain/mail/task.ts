/** The states of a task that an agent gave to another agent or took on itself. */
export const taskStates = [
  "submitted",
  "working",
  "input_required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;
export type TaskState = (typeof taskStates)[number];

const following: Record<TaskState, readonly TaskState[]> = {
  submitted: ["working", "rejected", "canceled", "completed", "failed"],
  working: ["input_required", "completed", "failed", "canceled"],
  input_required: ["working", "completed", "failed", "canceled"],
  completed: [],
  failed: ["working"],
  canceled: [],
  rejected: [],
};

/** The states that can follow this one, other than itself. */
export function listNextStates(state: TaskState): readonly TaskState[] {
  return following[state];
}

/** Keeping an unfinished state reports progress. A failed task may be resumed; all other final states are permanent. */
export function canTransition(from: TaskState, to: TaskState): boolean {
  return from === to ? following[from].length > 0 : following[from].includes(to);
}

/** Spellings of other systems. */
const spellings = new Map<string, TaskState>([
  ["complete", "completed"],
  ["done", "completed"],
  ["cancelled", "canceled"],
  ["input-required", "input_required"],
]);

export function readTaskState(text: string): TaskState | undefined {
  return taskStates.find((state) => state === text) ?? spellings.get(text);
}

/** A change of a task, as other machines must know it. */
export interface TaskChange {
  id: string;
  projectId: string;
  /** The revision that the change applies to. */
  from: number;
  state: TaskState;
}

/** Arbitrates changes of tasks among machines. */
export interface TaskArbiter {
  /**
   * Returns the task's new revision once the hub has recorded it, "here" if it cannot reach the hub; throws
   * `task_changed` if another machine has changed the task. Null: the project is not shared.
   */
  change(change: TaskChange, by: string): Promise<number | "here" | null>;
}
