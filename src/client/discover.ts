import { readFileSync } from "node:fs";
import { type DaemonFile, daemonFile } from "../protocol/api.ts";
import { parseJson } from "../shared/json.ts";
import { type Address, callDaemon } from "./request.ts";

/** What `daemon.json` says, whether or not that daemon still lives. */
export function readDaemonFile(path: string): DaemonFile | undefined {
  try {
    return daemonFile.parse(parseJson(readFileSync(path, "utf8")));
  } catch {
    return undefined; // None runs, or it is just being written: the caller asks the socket anyway.
  }
}

export async function isAnswering(address: Address, timeoutMs = 500): Promise<boolean> {
  try {
    await callDaemon(address, { path: "/health", timeoutMs });
    return true;
  } catch {
    return false; // Refused, absent or too slow: for the caller these are one thing.
  }
}
