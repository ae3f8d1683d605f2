import type { Environment } from "../config/environment.ts";
import { findVariable, traceOrigin } from "../hosts/trace-origin.ts";
import { openProcessTable } from "../shared/process-table.ts";

/**
 * Whether an agent started this command. The daemon checks every caller in the same way; this check only reports it
 * earlier and in simpler words, so without a process table it leaves the decision to the daemon.
 */
export async function isUnderAgent(environment: Environment, pid = process.ppid): Promise<boolean> {
  if (findVariable(environment)) return true;
  const readProcess = await openProcessTable().catch(() => undefined);
  return readProcess !== undefined && traceOrigin(pid, readProcess).kind === "agent";
}
