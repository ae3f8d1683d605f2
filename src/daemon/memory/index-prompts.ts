import type { Store } from "../../store/open-store.ts";
import { isOwnCommand } from "./keep-turn.ts";
import { indexPrompt } from "./keep.ts";

/** Makes a prompt searchable as soon as it is stored. Its turn adds nothing to it later. */
export function indexStoredPrompt(store: Store, eventId: string): void {
  const prompt = store.turns.humanPrompt(eventId);
  if (!prompt?.text || isOwnCommand(prompt.text)) return;
  const session = store.sessions.byId(prompt.sessionId);
  const project = session && store.projects.byPath(session.project);
  if (!project || project.mode === "off") return;
  const { sessionId, text, at } = prompt;
  store.db.transaction(() => indexPrompt(store, eventId, text, { projectId: project.id, sessionId, at }));
}
