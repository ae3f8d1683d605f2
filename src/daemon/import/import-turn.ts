import { homedir } from "node:os";
import { hostFor } from "../../hosts/hosts.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { keepTurn } from "../memory/keep-turn.ts";
import { locateProject } from "../identity/project.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";
import { isForgottenTurn } from "../memory/forgotten-turn.ts";
import { insertImportedSession } from "./imported-session.ts";
import { promptEventOf } from "../../domain/transcript/turn-draft.ts";
import type { DistilledTurn } from "../transcripts/transcript-reader.ts";

/** Where a turn was read from. */
interface TurnSource {
  host: string;
  path: string;
  sessionId: string;
  mtime: number;
}

type ImportedTurn =
  | { outcome: "known" | "left-out" }
  | {
      outcome: "stored";
      isNewSession: boolean;
      notes: number;
      hasSummary: boolean;
      hasPrompt: boolean;
    };

/**
 * Writes a turn of a transcript and its notes, in the caller's transaction. A turn that is already stored, from a hook,
 * another import or another copy of the session, is not changed.
 */
export function importTurn(store: Store, read: DistilledTurn, from: TurnSource, clock: Clock): ImportedTurn {
  const { sessionId, key } = read;
  if (store.turns.byKey(key)) return { outcome: "known" };
  const live = findLive(store, read, from);
  if (live) {
    store.turns.setKey(live.id, key);
    return { outcome: "known" };
  }
  const turn = read.startedAt > 0 ? read : { ...read, startedAt: from.mtime, endedAt: from.mtime };
  const known = store.sessions.byId(sessionId);
  const place = known ? known.project : locateProject(turn.cwd ?? homedir()).key;
  if (isForgottenTurn(store, turn, place, clock())) return { outcome: "left-out" };
  const project = findOrCreateProject(store, place, clock());
  if (project.mode === "off") return { outcome: "left-out" };
  if (known?.transcriptPath === null) replaceForeign(store, sessionId, turn.prompt);
  if (!known) {
    const { cwd, startedAt, endedAt: lastEventAt, gitBranch: branch } = turn;
    const transcriptPath = sessionId === from.sessionId ? from.path : null;
    const session = { id: sessionId, host: from.host, cwd, transcriptPath, branch, startedAt, lastEventAt };
    insertImportedSession(store, project, session, clock());
  } else extendSession(store, known, turn);

  const turnId = insertTurn(store, turn, clock());
  const prompt = turn.prompt === "" ? undefined : { eventId: promptEventOf(key), text: turn.prompt };
  const kept = keepTurn(store, project, {
    turnId,
    sessionId,
    cwd: turn.cwd,
    at: turn.endedAt,
    promptNumber: null,
    prompt: turn.isMachine ? undefined : prompt,
    notes: turn.notes,
    removed: turn.removed,
    loose: turn.loose,
    summary: turn.summary,
  });
  return {
    outcome: "stored",
    isNewSession: !known,
    notes: kept.notes.length,
    hasSummary: kept.summary !== undefined,
    hasPrompt: prompt !== undefined,
  };
}

/**
 * The same turn as recorded by hooks. A turn without a prompt id is matched by its text only if the host writes turns
 * without; for other hosts it is a copy in a fork and stays a separate turn.
 */
function findLive(
  store: Store,
  { sessionId, promptId, prompt, startedAt }: DistilledTurn,
  { host }: TurnSource,
) {
  if (promptId !== null) return store.turns.byPrompt(sessionId, promptId);
  return hostFor(host).transcripts.lacksPromptIds
    ? store.turns.byPromptText(sessionId, prompt, startedAt)
    : undefined;
}

function insertTurn(store: Store, turn: DistilledTurn, nowMs: number): string {
  const { sessionId, promptId, key, startedAt, endedAt, prompt, isMachine } = turn;
  const id = makeId(startedAt);
  store.turns.insert({
    id,
    sessionId,
    promptId,
    startedAt,
    endedAt,
    originKind: prompt === "" ? "unseen" : isMachine ? "machine" : "human",
    outcome: turn.outcome ?? "abandoned",
    lastAssistantMessage: turn.final || null,
  });
  store.turns.setKey(id, key);
  store.turns.markDistilled(id, nowMs);
  if (prompt !== "")
    store.turns.insertPrompt({
      eventId: promptEventOf(key),
      sessionId,
      turnId: id,
      promptId,
      text: prompt,
      machine: isMachine,
      occurredAt: startedAt,
    });
  return id;
}

/** Removes a prompt that came from another memory: the transcript has the complete turn. */
function replaceForeign(store: Store, sessionId: string, prompt: string): void {
  const eventId = store.turns.removeImportedPrompt(sessionId, prompt);
  if (eventId !== undefined) store.index.remove("prompt", eventId);
}

/** Only extends sessions that an import created; hooks determine the times of all others. */
function extendSession(store: Store, session: SessionRow, { startedAt, endedAt }: DistilledTurn): void {
  if (session.source !== "import" || session.status !== "ended") return;
  const lastEventAt = Math.max(session.lastEventAt, endedAt);
  if (lastEventAt === session.lastEventAt && startedAt >= session.startedAt) return;
  const from = Math.min(session.startedAt, startedAt);
  store.sessions.update({ ...session, startedAt: from, lastEventAt, statusAt: lastEventAt });
}
