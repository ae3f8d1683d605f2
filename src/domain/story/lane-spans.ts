import type { LaneSpan } from "../../protocol/today.ts";

interface Period {
  from: number;
  to: number;
}

interface LaneFacts {
  /** When its sessions ran. */
  present: readonly Period[];
  turns: readonly Period[];
  /** When a question of it was open. */
  waits: readonly Period[];
  /** The part to show. */
  shown: Period;
  now: number;
}

/**
 * The states of an agent over a period, one at a time. A question makes it wait, even in a turn; a turn makes it work;
 * a session without either is idle. A question that outlives its session makes no span.
 */
export function makeLaneSpans({ present, turns, waits, shown, now }: LaneFacts): LaneSpan[] {
  const end = Math.min(shown.to, now);
  const edges = [
    ...listEdges("present", present),
    ...listEdges("turns", turns),
    ...listEdges("waits", waits),
  ].toSorted((a, b) => a.at - b.at);
  const open = { present: 0, turns: 0, waits: 0 };
  const spans: { state: LaneSpan["state"]; from: number; to: number }[] = [];
  edges.forEach(({ at, kind, step }, index) => {
    open[kind] += step;
    const from = Math.max(at, shown.from);
    const to = Math.min(edges[index + 1]?.at ?? at, end);
    if (open.present === 0 || from >= to) return;
    const state = open.waits > 0 ? "waiting" : open.turns > 0 ? "working" : "idle";
    const last = spans.at(-1);
    if (last?.state === state && last.to === from) last.to = to;
    else spans.push({ state, from, to });
  });
  return spans.map((span) => ({ ...span, to: span.to >= now ? null : span.to }));
}

type Kind = "present" | "turns" | "waits";

function listEdges(kind: Kind, periods: readonly Period[]): { at: number; kind: Kind; step: 1 | -1 }[] {
  return periods.flatMap(({ from, to }) =>
    from < to
      ? [
          { at: from, kind, step: 1 as const },
          { at: to, kind, step: -1 as const },
        ]
      : [],
  );
}
