import { readFileSync } from "node:fs";
import { AppError } from "../shared/errors.ts";
import { readDaemonFile } from "./discover.ts";
import { type Call, exchange, makeHeaders, makePayload, readAnswer } from "./request.ts";

/**
 * One request over TCP, for what only a person may do: the daemon looks up which process is at the other end of the
 * connection, and on a unix socket it cannot.
 */
export async function callAsPerson<T>(home: { token: string; daemonFile: string }, call: Call): Promise<T> {
  const port = readDaemonFile(home.daemonFile)?.port;
  if (!port) throw new AppError("daemon_unreachable", "No daemon runs.");
  const payload = makePayload(call);
  const authorization = `Bearer ${readFileSync(home.token, "utf8").trim()}`;
  const headers = makeHeaders({ socket: "", token: home.token }, payload, {
    ...call.headers,
    host: `127.0.0.1:${port}`,
    authorization,
  });
  return readAnswer(await exchange({ host: "127.0.0.1", port, headers, agent: false }, call, payload));
}
