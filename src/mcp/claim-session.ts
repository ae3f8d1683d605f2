import { spawn } from "node:child_process";
import { callOverTcp, type TcpAddress } from "../client/call-over-tcp.ts";
import { sessionEndpoints } from "../protocol/endpoints/sessions.ts";
import { AppError } from "../shared/errors.ts";

/** Resolves to the process id by which the daemon finds the session of a call. */
type ClaimSession = (meta: Record<string, unknown> | undefined, sessionArgument: unknown) => Promise<number>;

/**
 * A session is known by the host process that started us. Some hosts run many sessions in one process, but start us once
 * for each session and name it in every call: then our own process identifies the session. Others start us once for all
 * sessions, and our plugin in the host names the session in an argument: then each gets a process of its own.
 */
export function makeClaimSession(address: TcpAddress, hostPid: number): ClaimSession {
  let claimed: string | undefined;
  const standIns = new Map<string, number>();

  /** False if the session is not known: the host may not run our hooks yet. Most tools need no session. */
  async function claim(id: string, pid: number): Promise<boolean> {
    try {
      await callOverTcp(address, sessionEndpoints.changeSession, { params: { id }, body: { hostPid: pid } });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.kind === "missing") return false;
      throw error;
    }
  }

  /** Sleeps until we exit, which closes its input. */
  function startStandIn(sessionId: string): number {
    const child = spawn("cat", [], { stdio: ["pipe", "ignore", "ignore"] });
    if (child.pid === undefined) throw new AppError("internal", "There is no process for this session.");
    standIns.set(sessionId, child.pid);
    child.on("exit", () => standIns.delete(sessionId));
    return child.pid;
  }

  return async (meta, sessionArgument) => {
    if (typeof sessionArgument === "string") {
      const pid = standIns.get(sessionArgument) ?? startStandIn(sessionArgument);
      // Not cached: a resumed session has lost its process.
      await claim(sessionArgument, pid);
      return pid;
    }
    const sessionId = meta?.["threadId"];
    if (typeof sessionId !== "string") return hostPid;
    if (claimed !== sessionId && (await claim(sessionId, process.pid))) claimed = sessionId;
    return process.pid;
  };
}
