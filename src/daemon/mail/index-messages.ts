import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../runtime/bus.ts";

/** Number of recent messages to check: a killed daemon may have left some unindexed. */
const maxMissed = 200;

/** Indexes the messages of agents and people for search, in the project of their room. */
export function indexMessages(store: Store, bus: Bus): void {
  store.db.transaction(() => {
    for (const message of store.messages.recent(maxMissed))
      if (message.kind === "text" && !store.index.has("message", message.id)) indexMessage(message);
  });
  bus.subscribe(({ event }) => {
    if (event.type !== "message.sent" && event.type !== "message.received") return;
    const message = store.messages.byId(event.messageId);
    if (message?.kind === "text") store.db.transaction(() => indexMessage(message));
  });

  function indexMessage(message: MessageRow): void {
    const projectId = projectOf(message);
    if (projectId === undefined) return;
    const { id, sender, address, body, createdAt } = message;
    store.index.put({
      kind: "message",
      ref: id,
      projectId,
      sessionId: null,
      type: null,
      createdAt,
      title: `${sender} to ${address}`,
      body,
      files: [],
    });
  }

  /** The project of the room, else of the agent that wrote or received the message. */
  function projectOf({ roomId, agentId, address }: MessageRow): string | undefined {
    const room = roomId === null ? undefined : store.rooms.byId(roomId);
    if (room?.kind === "project") return room.key.replace(/^project:/, "");
    const agent =
      agentId === null ? store.agents.byName(address.replace(/^@/, "")) : store.agents.byId(agentId);
    const project = agent && store.projects.byPath(agent.project);
    return project?.mode === "off" ? undefined : project?.id;
  }
}
