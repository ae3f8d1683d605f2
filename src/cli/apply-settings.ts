import { stopDaemon } from "../client/start.ts";
import { listPersonOnly } from "../config/schema.ts";
import { type Secrets, updateSecrets } from "../config/secrets.ts";
import { daemonEndpoints } from "../protocol/endpoints/daemon.ts";
import type { CliContext } from "./command.ts";
import { startInstalled } from "./commands/start.ts";
import { decide, isUnderAgent } from "./decide.ts";

/**
 * Changes settings (null removes one) and, once the daemon has agreed, the secrets that belong to them. Both are read at start, so
 * the daemon is restarted.
 */
export async function applySettings(
  context: CliContext,
  settings: Record<string, unknown>,
  changeSecrets?: (secrets: Secrets) => void,
): Promise<void> {
  const isDecision = Object.keys(settings).some((path) => listPersonOnly(path).length > 0);
  // An attempt that will be refused starts no daemon.
  if (!isDecision || !(await isUnderAgent(context.environment))) await startInstalled(context);
  await decide(context, daemonEndpoints.changeConfig, { body: settings });
  if (changeSecrets) updateSecrets(context.home.secrets, changeSecrets);
  await stopDaemon(context.startOptions, "restart");
  await startInstalled(context);
}
