import type { Log } from "../../shared/log.ts";
import { searchedText } from "../../store/memory-text.ts";
import type { Store } from "../../store/open-store.ts";
import { runLogged } from "../runtime/repeat.ts";
import type { NoteOrigin } from "./keep-note.ts";

/** Makes prompts searchable as soon as they are stored. Their answers are added when their turns are distilled. */
export interface PromptIndexer {
  add(eventId: string): void;
  stop(): void;
}

interface PromptIndexerDeps {
  store: Store;
  log: Log;
  /** The number of hooks that wait for an answer; they have priority. */
  waitingHooks(): number;
}

/**
 * Delay of indexing. It is not part of the hook's transaction, because the word index takes longer than a hook should
 * wait.
 */
const pauseMs = 20;
/** Prompts per transaction, so that it stays short. */
const maxBatch = 16;

export function openPromptIndexer({ store, log, waitingHooks }: PromptIndexerDeps): PromptIndexer {
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function work(): void {
    timer = undefined;
    if (waitingHooks() === 0) runLogged(() => indexBatch(store, waiting.splice(0, maxBatch)), log);
    if (waiting.length > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(work, pauseMs).unref();
  }

  return {
    add(eventId) {
      waiting.push(eventId);
      schedule();
    },
    // The rest is indexed when its turns are distilled.
    stop: () => clearTimeout(timer),
  };
}

function indexBatch(store: Store, eventIds: readonly string[]): void {
  store.db.transaction(() => {
    for (const eventId of eventIds) indexStored(store, eventId);
  });
}

function indexStored(store: Store, eventId: string): void {
  const prompt = store.turns.findHumanPrompt(eventId);
  if (!prompt?.text || store.index.has("prompt", eventId)) return;
  const session = store.sessions.byId(prompt.sessionId);
  const project = session && store.projects.byPath(session.project);
  if (!project || project.mode === "off") return;
  const { sessionId, text, at } = prompt;
  indexPrompt(store, eventId, text, { projectId: project.id, sessionId, at });
}

/** Our own slash commands: their turns repeat stored notes, and both would be found instead of the notes. */
export function isOwnCommand(prompt: string): boolean {
  return /^\s*\/rookery:/.test(prompt);
}

export function indexPrompt(
  store: Store,
  eventId: string,
  text: string,
  { projectId, sessionId, at }: Pick<NoteOrigin, "projectId" | "sessionId" | "at">,
  answer: string | null = null,
): void {
  if (isOwnCommand(text)) return;
  store.index.put({
    kind: "prompt",
    ref: eventId,
    projectId,
    sessionId,
    type: null,
    createdAt: at,
    title: "",
    body: searchedText({ body: text, answer }),
    files: [],
  });
}
