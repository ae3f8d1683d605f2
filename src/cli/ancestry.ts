import type { Environment } from "../config/environment.ts";
import { findVariable, traceOrigin } from "../hosts/trace-origin.ts";
import { openProcessTable } from "../shared/process-table.ts";

/**
 * Whether an agent started this command. The daemon checks every caller in the same way, but it cannot read every process's
 * environment; so the command reports it as well (`decide.ts`). Without a process table the decision is the daemon's.
 */
export async function isUnderAgent(environment: Environment, pid = process.ppid): Promise<boolean> {
  if (findVariable(environment)) return true;
  const readProcess = await openProcessTable().catch(() => undefined);
  return readProcess !== undefined && traceOrigin(pid, readProcess).kind === "agent";
}
