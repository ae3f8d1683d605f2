import type { Step, TurnRecord } from "./turn-record.ts";

/** What the hooks told of one tool use. */
export interface HookedUse {
  toolUseId: string | null;
  steps: Step[];
}

/**
 * A turn from two witnesses. The transcript knows the order, what was said in between and what was refused; the hooks
 * know each tool use best, and those of subagents.
 */
export function mergeTold(record: TurnRecord, uses: readonly HookedUse[], told: TurnRecord): TurnRecord {
  const hooked = new Map(uses.map(({ toolUseId, steps }) => [toolUseId, steps]));
  const placed = new Set<string>();
  const steps = told.steps.flatMap((step): Step[] => {
    if (step.kind === "say") return [step];
    const known = step.kind === "denied" ? undefined : hooked.get(step.eventId);
    if (!known) return [step];
    // Several answers stand for one use: the first brings them all.
    if (placed.has(step.eventId)) return [];
    placed.add(step.eventId);
    return known;
  });
  const others = uses.filter(({ toolUseId }) => toolUseId === null || !placed.has(toolUseId));
  const isPromptMissing = record.prompt === "";
  return {
    ...record,
    ...(isPromptMissing ? { prompt: told.prompt, isMachine: told.isMachine } : {}),
    steps: [...steps, ...others.flatMap((use) => use.steps)],
    final: record.final || told.final,
    outcome: told.outcome ?? record.outcome,
  };
}
