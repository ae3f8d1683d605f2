import { readRequest } from "../../domain/ask/read-request.ts";
import type { EventRow } from "../../store/events.ts";
import type { Store } from "../../store/open-store.ts";

const mostCalls = 16;

/**
 * The call that a permission request is about. Its payload does not name it, so it is the oldest of the latest calls of
 * this tool with the same input that has neither ended nor been asked about.
 */
export function findToolUse(
  store: Store,
  sessionId: string,
  toolName: string,
  wording: string,
): string | null {
  const taken = new Set(store.questions.open().map((row) => row.toolUseId));
  const call = store.events
    .latestCalls(sessionId, toolName, mostCalls)
    .filter(
      (event) =>
        event.toolUseId !== null &&
        !taken.has(event.toolUseId) &&
        !store.events.hasResult(sessionId, event.toolUseId) &&
        wordingOf(event) === wording,
    )
    .at(-1);
  return call?.toolUseId ?? null;
}

/** What a call is about, in the words by which questions are compared. */
export function wordingOf(event: EventRow): string | undefined {
  const { tool_input: input } = JSON.parse(event.payload) as { tool_input?: unknown };
  if (event.toolName === null || typeof input !== "object" || input === null) return undefined;
  return readRequest(event.toolName, input as Record<string, unknown>)?.wording;
}
