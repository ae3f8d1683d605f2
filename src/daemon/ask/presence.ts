import { judgePresence, type PresenceJudgement, type PresenceOverride } from "../../domain/ask/presence.ts";
import { isQuietAt, type QuietHours } from "../../domain/ask/quiet-hours.ts";
import { parseJson } from "../../shared/json.ts";
import type { Presence } from "./reach.ts";
import type { Terminals } from "./terminals.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface PresenceWatch extends Presence {
  judge(): PresenceJudgement;
  /** Quiet hours, unless the person set themselves away. */
  isQuiet(): boolean;
  /** Overrides the state until the person's next activity; `auto` resets it. */
  set(state: "here" | "away" | "auto"): void;
  /** Records that the person is using the viewer. */
  recordViewer(): void;
  /** Evaluates presence again and announces a change. */
  check(): PresenceJudgement;
  start(): void;
  stop(): void;
}

interface PresenceDeps extends Pick<DaemonContext, "store" | "bus" | "clock"> {
  terminals: Terminals;
  awayMs: number;
  quietHours: QuietHours | undefined;
}

const overrideKey = "presence.override";

export function openPresence(deps: PresenceDeps): PresenceWatch {
  const { store, bus, clock, terminals } = deps;
  let lastPromptAt: number | null = null;
  let lastViewerAt: number | null = null;
  let wasHere: boolean | undefined;
  let override = readOverride(store.meta.get(overrideKey));
  let unsubscribe = (): void => {};

  function judge(): PresenceJudgement {
    const sessions = store.sessions.active();
    const facts = {
      lastPromptAt,
      lastViewerAt,
      override,
      lastKeyAt: terminals.lastKeypressAt(sessions),
      hasPresenceFile: terminals.hasPresenceFile(sessions),
    };
    return judgePresence(facts, deps.awayMs, clock());
  }

  function check(): PresenceJudgement {
    const judged = judge();
    if (judged.isHere !== wasHere) announce(judged);
    return judged;
  }

  function announce({ isHere, reason }: PresenceJudgement): void {
    wasHere = isHere;
    bus.publish({ type: "presence.changed", isHere, reason });
  }

  function recordPrompt(eventId: string): void {
    const event = store.events.byId(eventId);
    // A posted prompt may be an agent's.
    if (!event || event.via === "api" || !store.turns.isHumanPrompt(eventId)) return;
    lastPromptAt = Math.max(lastPromptAt ?? 0, event.occurredAt);
    check();
  }

  return {
    judge,
    check,
    isHere: () => judge().isHere,
    reason: () => judge().reason,
    isQuiet() {
      if (!deps.quietHours || judge().isByHand) return false;
      const now = new Date(clock());
      return isQuietAt(deps.quietHours, now.getHours() * 60 + now.getMinutes());
    },
    set(state) {
      override = state === "auto" ? null : { state, at: clock() };
      store.meta.set(overrideKey, JSON.stringify(override));
      announce(judge()); // Announced even if the state stays the same, because a manual setting also overrides quiet hours.
    },
    recordViewer() {
      lastViewerAt = clock();
      check();
    },
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "event.stored" && event.event === "prompt") recordPrompt(event.id);
      });
      wasHere = judge().isHere;
    },
    stop: () => unsubscribe(),
  };
}

function readOverride(text: string | undefined): PresenceOverride | null {
  return text === undefined ? null : (parseJson(text) as PresenceOverride | null);
}
