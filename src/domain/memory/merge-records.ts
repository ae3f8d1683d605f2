import type { Step, TurnRecord } from "./turn-record.ts";

/** A tool use as the hooks recorded it. */
interface HookedUse {
  toolUseId: string | null;
  steps: Step[];
}

/**
 * Merges a turn from hooks and transcript. The transcript has the order, the messages in between and the refusals; the
 * hooks have more detail on each tool use, and those of subagents.
 */
export function mergeRecords(
  record: TurnRecord,
  uses: readonly HookedUse[],
  transcribed: TurnRecord,
): TurnRecord {
  const hooked = new Map(uses.map(({ toolUseId, steps }) => [toolUseId, steps]));
  const placed = new Set<string>();
  const steps = transcribed.steps.flatMap((step): Step[] => {
    if (step.kind === "say") return [step];
    const known = step.kind === "denied" ? undefined : hooked.get(step.eventId);
    if (!known) return [step];
    // One use may have several answers: the first one adds them all.
    if (placed.has(step.eventId)) return [];
    placed.add(step.eventId);
    return known;
  });
  const others = uses.filter(({ toolUseId }) => toolUseId === null || !placed.has(toolUseId));
  const isPromptMissing = record.prompt === "";
  return {
    ...record,
    ...(isPromptMissing ? { prompt: transcribed.prompt, isMachine: transcribed.isMachine } : {}),
    steps: [...steps, ...others.flatMap((use) => use.steps)],
    final: record.final || transcribed.final,
    outcome: transcribed.outcome ?? record.outcome,
  };
}
