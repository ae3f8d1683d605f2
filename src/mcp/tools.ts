import type { Tool } from "./tool.ts";
import { askHuman, notifyHuman } from "./tools/ask.ts";
import {
  agentsList,
  filesLease,
  messageHistory,
  messageInbox,
  messageSend,
  taskUpdate,
} from "./tools/mail.ts";
import { memoryForget, memoryGet, memorySave, memorySearch, memoryTimeline } from "./tools/memory.ts";
import { rookeryStatus } from "./tools/rookery-status.ts";

/** Every tool the plugin offers. The whole list must stay under 8 KB: it is in every session's context. */
export const tools: readonly Tool[] = [
  memorySearch,
  memoryTimeline,
  memoryGet,
  memorySave,
  memoryForget,
  askHuman,
  notifyHuman,
  agentsList,
  messageSend,
  messageInbox,
  messageHistory,
  taskUpdate,
  filesLease,
  rookeryStatus,
];
