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
