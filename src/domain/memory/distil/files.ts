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
  const paths = steps.flatMap((step) => (step.kind === "tool" ? (step.file ?? []) : []));
  return [...new Set(paths)];
}

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}

/** `orders.py: start = datetime.combine(…)`: the first informative line that an edit added. */
export function describeEdits(steps: readonly Step[]): string[] {
  return steps.filter(isEdit).flatMap((step) => {
    const { file, changes } = step;
    if (!file) return [];
    const before = new Set(changes.flatMap((change) => linesOf(change.before ?? "")));
    const added = changes.flatMap(({ after }) => linesOf(after)).filter((line) => !before.has(line));
    const telling = added.filter(
      (line) =>
        /\p{L}{3}/u.test(line) && !/^(?:import|from|use|using|#include|package|\/\/|#|\*|<!--)/.test(line),
    );
    const line = telling[0] ?? added[0];
    return [line ? `${baseName(file)}: ${line.slice(0, 140)}` : baseName(file)];
  });
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
