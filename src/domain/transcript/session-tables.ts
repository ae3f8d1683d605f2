/** The tables and columns in which a host keeps its sessions. `store/session-databases.ts` turns their rows into lines. */
export interface SessionTables {
  /** `parentId` is null in sessions that the person started. */
  sessions: Record<"table" | "id" | "parentId" | "folder" | "title" | "version" | "updatedAt", string>;
  messages: Record<"table" | "id" | "sessionId" | "createdAt" | "json", string>;
  /** The parts of a message, in the order of their ids. */
  parts: Record<"table" | "id" | "sessionId" | "messageId" | "json", string>;
}
