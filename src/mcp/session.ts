import { randomUUID } from "node:crypto";
import { callOverTcp } from "../client/call-over-tcp.ts";
import { callEndpoint } from "../client/request.ts";
import type { SessionView } from "../protocol/api.ts";
import { sessionEndpoints } from "../protocol/endpoints/sessions.ts";
import { AppError } from "../shared/errors.ts";
import type { ToolContext } from "./tool.ts";

/** The session we serve, by the process that started us: `/clear` changes the id without notice. */
export async function currentSession({ address, hostPid }: ToolContext): Promise<SessionView | undefined> {
  try {
    const query = { pid: hostPid };
    const { sessions } = await callEndpoint(address, sessionEndpoints.listSessions, { query });
    return sessions[0];
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return undefined;
    throw error;
  }
}

/** The same for tools that act as an agent. In a client without hooks, the first of them begins a session. */
export async function requireSession(context: ToolContext): Promise<SessionView> {
  const session = await currentSession(context);
  if (session) return session;
  const { address, hostPid, isHost } = context;
  if (!isHost) throw new AppError("session_not_found", "This session is not known to Rookery yet.");
  const body = { id: `mcp-${randomUUID()}`, cwd: process.cwd(), hostPid };
  return callOverTcp(address, sessionEndpoints.createSession, { body });
}
