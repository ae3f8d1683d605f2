import { type Address, callEndpoint } from "../client/request.ts";
import { sessionEndpoints } from "../protocol/endpoints/sessions.ts";

/** Resolves to the process id by which the daemon finds the session of a call. */
type ClaimSession = (meta: Record<string, unknown> | undefined) => Promise<number>;

/**
 * A session is known by the host process that started us. Some hosts run many sessions in one process, but start us once
 * for each session and name it in every call (Codex): then our own process identifies the session.
 */
export function makeClaimSession(address: Address, hostPid: number): ClaimSession {
  let claimed: string | undefined;
  return async (meta) => {
    const sessionId = meta?.["threadId"];
    if (typeof sessionId !== "string") return hostPid;
    if (claimed !== sessionId) {
      const call = { params: { id: sessionId }, body: { hostPid: process.pid } };
      await callEndpoint(address, sessionEndpoints.changeSession, call);
      claimed = sessionId;
    }
    return process.pid;
  };
}
