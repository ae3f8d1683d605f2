import { readFileSync } from "node:fs";
import type { AnswerOf, Endpoint } from "../protocol/endpoint.ts";
import { AppError } from "../shared/errors.ts";
import { isAnswering, readDaemonFile } from "./discover.ts";
import { type Address, type Call, sendRequest, makeHeaders } from "./request.ts";

/** The socket, and the files that name the daemon's port and token; a Home has these fields. */
export interface TcpAddress extends Address {
  daemonFile: string;
}

/**
 * One request over TCP, for endpoints that need to know the caller: the daemon looks up the process at the other end of
 * the connection, which it cannot do for a unix socket.
 */
export async function callOverTcp<E extends Endpoint>(
  home: TcpAddress,
  endpoint: E,
  call: Call<E>,
  headers: Record<string, string> = {},
): Promise<AnswerOf<E>> {
  // Only our user can answer on the socket; the port of a daemon that is gone may be another user's now.
  const port = (await isAnswering(home)) ? readDaemonFile(home.daemonFile)?.port : undefined;
  if (!port) throw new AppError("daemon_unreachable", "The daemon is not running.");
  const authorization = `Bearer ${readFileSync(home.token, "utf8").trim()}`;
  const extra = { ...headers, host: `127.0.0.1:${port}`, authorization };
  return sendRequest(endpoint, call, (payload) => ({
    host: "127.0.0.1",
    port,
    headers: makeHeaders({ socket: "", token: home.token }, payload, extra),
    agent: false,
  }));
}
