import { tellToolAbout, toLine } from "../../domain/story/tool-about.ts";
import type { RunningView } from "../../protocol/viewer.ts";
import type { Clock } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isLive } from "../seats.ts";
import { stateOf } from "../session-state.ts";

interface NewestFacts {
  event: string;
  tool: string | null;
  message: string | null;
  input: string | null;
  at: number;
}

/** The sessions that run now, each with what it was last heard doing: one indexed look-up apiece. */
export function listRunning(store: Store, clock: Clock): RunningView[] {
  return store.sessions
    .active()
    .filter((session) => isLive(session, clock()))
    .map((session) => viewRunning(store, session));
}

function viewRunning(store: Store, session: SessionRow): RunningView {
  const { id, branch, title, model, startedAt, lastEventAt } = session;
  const agent = store.agents.byId(session.agentId);
  const newest = readNewest(store, id);
  const prompt = store.db.get<{ text: string }>(
    "SELECT substr(text, 1, 2000) AS text FROM prompts WHERE session_id = ? AND machine = 0 ORDER BY number DESC LIMIT 1",
    id,
  );
  return {
    id,
    pid: session.hostPid,
    agent: agent?.name ?? "",
    project: agent?.projectName ?? "",
    branch,
    title,
    model,
    state: stateOf(store, session),
    doing: newest
      ? { event: newest.event, tool: newest.tool, about: tellAbout(newest), at: newest.at }
      : null,
    prompt: prompt ? toLine(prompt.text, 400) : null,
    queued: store.deliveries.openFor(session.agentId).filter(({ state }) => state === "queued").length,
    startedAt,
    lastEventAt,
  };
}

function readNewest(store: Store, sessionId: string): NewestFacts | undefined {
  return store.db.get<NewestFacts>(
    `SELECT event, tool_name AS tool, payload ->> '$.message' AS message,
       payload -> '$.tool_input' AS input, occurred_at AS at
     FROM events WHERE session_id = ? ORDER BY occurred_at DESC, seq DESC LIMIT 1`,
    sessionId,
  );
}

function tellAbout({ input, message }: NewestFacts): string {
  return input === null ? toLine(message ?? "") : tellToolAbout(parseJson(input));
}
