import type { Step, ToolStep } from "../turn-record.ts";

export function isEdit(step: Step): step is ToolStep {
  return step.kind === "tool" && step.toolKind === "edit" && !step.failed;
}

export function filesRead(steps: readonly Step[]): string[] {
  return listFiles(steps.filter((step) => step.kind === "tool" && step.toolKind === "read" && !step.failed));
}

export function filesModified(steps: readonly Step[]): string[] {
  return listFiles(steps.filter(isEdit));
}

function listFiles(steps: readonly Step[]): string[] {
  const paths = steps.flatMap((step) => (step.kind === "tool" ? (pathOf(step) ?? []) : []));
  return [...new Set(paths)];
}

export function pathOf({ file, input }: ToolStep): string | undefined {
  const path = file ?? input.path;
  return typeof path === "string" && path ? path : undefined;
}

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}

/** `orders.py: start = datetime.combine(…)`: the first telling line that an edit brought in. */
export function describeEdits(steps: readonly Step[]): string[] {
  return steps.filter(isEdit).flatMap((step) => {
    const path = pathOf(step);
    if (!path) return [];
    const before = new Set(linesOf(step.input.old_string));
    const added = linesOf(step.input.new_string ?? step.input.content).filter((line) => !before.has(line));
    const telling = added.filter(
      (line) =>
        /\p{L}{3}/u.test(line) && !/^(?:import|from|use|using|#include|package|\/\/|#|\*|<!--)/.test(line),
    );
    const line = telling[0] ?? added[0];
    return [line ? `${baseName(path)}: ${line.slice(0, 140)}` : baseName(path)];
  });
}

function linesOf(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
