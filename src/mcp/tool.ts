import type * as z from "zod";
import type { TcpAddress } from "../client/call-over-tcp.ts";
import type { Address } from "../client/request.ts";
import type { Elicit } from "./elicit.ts";

export interface ToolContext {
  address: Address & TcpAddress;
  /** The host process that started us: it names the session even after `/clear` has changed the id. */
  hostPid: number;
  /** Whether that process is the host itself: then a tool may begin a session, if hooks have not. */
  isHost: boolean;
  /** Aborted when the host cancels the call. */
  signal: AbortSignal;
  /** The host's own dialog; undefined if it has none. */
  elicit: Elicit | undefined;
}

/** A tool is data: the registry turns it into MCP, and tests can read it. Throws AppError on failure. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Schema;
  isReadOnly: boolean;
  handle(input: z.infer<Schema>, context: ToolContext): Promise<string>;
}

export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool;
}
