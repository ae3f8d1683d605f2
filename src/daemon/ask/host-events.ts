import { readRequest } from "../../domain/ask/read-request.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { parseJson } from "../../shared/json.ts";
import type { EventRow } from "../../store/events.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";

const maxCalls = 16;

/**
 * The call that a permission request is about. The payload does not name it, so it is the newest unfinished call of
 * this tool with the same input and no question yet: an older one may have been refused in the terminal.
 */
export function findToolUse(
  store: Store,
  { id: sessionId, host }: SessionRow,
  toolName: string,
  wording: string,
): string | null {
  const call = store.events
    .latestCalls(sessionId, toolName, maxCalls)
    .find(
      (event) =>
        event.toolUseId !== null &&
        !store.questions.hasToolUse(sessionId, event.toolUseId) &&
        !store.events.hasResult(sessionId, event.toolUseId) &&
        wordingOf(event, hostFor(host)) === wording,
    );
  return call?.toolUseId ?? null;
}

/** The subject of a call, in the form in which questions are compared. */
export function wordingOf(
  event: Pick<EventRow, "toolName" | "payload">,
  { requests }: Host,
): string | undefined {
  const { tool_input: input } = parseJson(event.payload) as { tool_input?: unknown };
  if (event.toolName === null || typeof input !== "object" || input === null) return undefined;
  return readRequest(event.toolName, input as Record<string, unknown>, requests.describe)?.wording;
}
