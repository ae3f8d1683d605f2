import { readFileSync } from "node:fs";
import { type DaemonFile, daemonFile } from "../protocol/api.ts";
import { runningEndpoints } from "../protocol/endpoints/running.ts";
import { parseJson } from "../shared/json.ts";
import { type Address, callEndpoint } from "./request.ts";

/** The contents of `daemon.json`; the daemon may be gone already. */
export function readDaemonFile(path: string): DaemonFile | undefined {
  try {
    return daemonFile.parse(parseJson(readFileSync(path, "utf8")));
  } catch {
    return undefined; // No daemon runs, or the file is being written: callers try the socket anyway.
  }
}

export async function isAnswering(address: Address, timeoutMs = 500): Promise<boolean> {
  try {
    await callEndpoint(address, runningEndpoints.getHealth, { timeoutMs });
    return true;
  } catch {
    return false; // Refused, absent or too slow: callers need no distinction.
  }
}
