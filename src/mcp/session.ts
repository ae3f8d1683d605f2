import { callDaemon } from "../client/request.ts";
import type { SessionView } from "../protocol/api.ts";
import { AppError } from "../shared/errors.ts";
import type { ToolContext } from "./tool.ts";

/** The session we serve, by the process that started us: `/clear` changes the id and tells nobody. */
export async function currentSession({ address, hostPid }: ToolContext): Promise<SessionView | undefined> {
  try {
    const path = `/api/sessions?pid=${hostPid}`;
    const { sessions } = await callDaemon<{ sessions: SessionView[] }>(address, { path });
    return sessions[0];
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return undefined;
    throw error;
  }
}
