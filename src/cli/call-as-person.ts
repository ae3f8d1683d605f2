import { callOverTcp } from "../client/call-over-tcp.ts";
import { isAnswering } from "../client/discover.ts";
import type { Call } from "../client/request.ts";
import type { Environment } from "../config/environment.ts";
import { findVariable, traceOrigin } from "../hosts/trace-origin.ts";
import { agentHeader } from "../protocol/api.ts";
import type { AnswerOf, Endpoint } from "../protocol/endpoint.ts";
import { AppError } from "../shared/errors.ts";
import { openProcessTable } from "../shared/process-table.ts";
import type { CliContext } from "./command.ts";
import { startInstalledDaemon } from "./start-daemon.ts";

/**
 * A request that only a person may make. If an agent started the command, the request says so, and the daemon refuses it
 * and writes an audit row. Without a running daemon it is refused here.
 */
export async function callAsPerson<E extends Endpoint>(
  context: CliContext,
  endpoint: E,
  call: Call<E>,
): Promise<AnswerOf<E>> {
  if (!(await isUnderAgent(context.environment))) return callOverTcp(context.home, endpoint, call);
  if (!(await isAnswering(context.address))) refuse();
  return callOverTcp(context.home, endpoint, call, { [agentHeader]: "1" });
}

/** For commands that only a person may run, while no daemon answers. */
export async function requireNoAgent({ environment }: CliContext): Promise<void> {
  if (await isUnderAgent(environment)) refuse();
}

function refuse(): never {
  throw new AppError("may_not_decide", "This command was started by an agent.");
}

/** Starts the daemon for a request that only a person may make, unless an agent started this command: it would be refused. */
export async function startForPerson(context: CliContext): Promise<void> {
  if (!(await isUnderAgent(context.environment))) await startInstalledDaemon(context);
}

/**
 * Whether an agent started this command. The daemon checks every caller in the same way, but it cannot read the environment
 * of every process, so the command reports its own result as well. Without a process table, the daemon decides.
 */
async function isUnderAgent(environment: Environment): Promise<boolean> {
  if (findVariable(environment)) return true;
  const readProcess = await openProcessTable().catch(() => undefined);
  return readProcess !== undefined && traceOrigin(process.ppid, readProcess).kind === "agent";
}
