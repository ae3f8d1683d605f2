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

/** Files that a host or an agent writes for itself: plans, scratch files, outputs of background commands. */
export function isScratch(file: string): boolean {
  return scratch.test(file);
}

const scratch =
  /^\/(?:private\/)?tmp\/|^\/var\/folders\/|[\\/](?:AppData[\\/]Local[\\/]Temp|scratchpad|\.claude[\\/]plans)[\\/]/;

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
