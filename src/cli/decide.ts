import { callAsPerson } from "../client/call-as-person.ts";
import { isAnswering } from "../client/discover.ts";
import type { Call } from "../client/request.ts";
import { agentHeader } from "../protocol/api.ts";
import { AppError } from "../shared/errors.ts";
import { isUnderAgent } from "./ancestry.ts";
import type { CliContext } from "./command.ts";

/**
 * A request that only a person may make. Under an agent it is sent as an agent's, so that the daemon refuses it with an audit
 * row; where no daemon runs it is refused here.
 */
export async function decide<T>(context: CliContext, call: Call): Promise<T> {
  if (!(await isUnderAgent(context.environment))) return callAsPerson<T>(context.home, call);
  if (!(await isAnswering(context.address)))
    throw new AppError("may_not_decide", "This command was started by an agent.");
  return callAsPerson<T>(context.home, { ...call, headers: { ...call.headers, [agentHeader]: "1" } });
}
