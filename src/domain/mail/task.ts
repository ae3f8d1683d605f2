/** Where a piece of work stands that one agent gave another, or took on itself. */
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

/** What a task can become, other than what it is. */
export function nextStates(state: TaskState): readonly TaskState[] {
  return following[state];
}

/** Staying where it is is progress being told. A failed one may be taken up again; what is over otherwise stays over. */
export function mayBecome(from: TaskState, to: TaskState): boolean {
  return from === to ? following[from].length > 0 : following[from].includes(to);
}

/** As other systems spell them. */
const spellings = new Map<string, TaskState>([
  ["complete", "completed"],
  ["done", "completed"],
  ["cancelled", "canceled"],
  ["input-required", "input_required"],
]);

export function readTaskState(text: string): TaskState | undefined {
  return taskStates.find((state) => state === text) ?? spellings.get(text);
}
