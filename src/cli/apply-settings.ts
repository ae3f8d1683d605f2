import { stopDaemon } from "../client/start.ts";
import { listPersonOnly } from "../config/schema.ts";
import { type Secrets, updateSecrets } from "../config/secrets.ts";
import { daemonEndpoints } from "../protocol/endpoints/daemon.ts";
import type { CliContext } from "./command.ts";
import { startInstalledDaemon } from "./start-daemon.ts";
import { callAsPerson, startForPerson } from "./call-as-person.ts";

/**
 * Changes settings (null removes one) and, once the daemon has accepted them, the secrets that belong to them. Restarts the
 * daemon, because it reads both only at start.
 */
export async function applySettings(
  context: CliContext,
  settings: Record<string, unknown>,
  changeSecrets?: (secrets: Secrets) => void,
): Promise<void> {
  const isDecision = Object.keys(settings).some((path) => listPersonOnly(path).length > 0);
  await (isDecision ? startForPerson : startInstalledDaemon)(context);
  await callAsPerson(context, daemonEndpoints.changeConfig, { body: settings });
  if (changeSecrets) updateSecrets(context.home.secrets, changeSecrets);
  await stopDaemon(context.startOptions, "restart");
  await startInstalledDaemon(context);
}
