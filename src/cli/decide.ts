import { callAsPerson } from "../client/call-as-person.ts";
import { isAnswering } from "../client/discover.ts";
import type { Call } from "../client/request.ts";
import type { AnswerOf, Endpoint } from "../protocol/endpoint.ts";
import { agentHeader } from "../protocol/api.ts";
import { AppError } from "../shared/errors.ts";
import { isUnderAgent } from "./ancestry.ts";
import type { CliContext } from "./command.ts";

/**
 * A request that only a person may make. Under an agent it is sent as an agent's, so that the daemon refuses it with an audit
 * row; where no daemon runs it is refused here.
 */
export async function decide<E extends Endpoint>(
  context: CliContext,
  endpoint: E,
  call: Call<E>,
): Promise<AnswerOf<E>> {
  if (!(await isUnderAgent(context.environment))) return callAsPerson(context.home, endpoint, call);
  if (!(await isAnswering(context.address)))
    throw new AppError("may_not_decide", "This command was started by an agent.");
  return callAsPerson(context.home, endpoint, call, { [agentHeader]: "1" });
}
