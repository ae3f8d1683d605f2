import type { StartOutcome } from "../client/start.ts";
import { stagePlugin } from "../install/stage.ts";
import { toAppError } from "../shared/errors.ts";
import { readStagedBuild } from "../shared/staged.ts";
import type { CliContext } from "./command.ts";
import { refreshRegistration } from "./refresh-registration.ts";

/**
 * Installs this build: for sessions, as the daemon, and in the registration with Claude Code. The registration comes last
 * because it runs `claude`, which takes seconds.
 */
export async function upgrade(
  context: CliContext,
  startDaemon: () => Promise<StartOutcome>,
): Promise<StartOutcome> {
  const { home, pluginRoot, printNote, startOptions } = context;
  const { build } = startOptions;
  const before = readStagedBuild(home.app);
  stagePlugin(home.app, { pluginRoot, build });
  const outcome = await startDaemon();
  try {
    await refreshRegistration(context);
  } catch (thrown) {
    printNote(
      `Could not register the new version with Claude Code: ${toAppError(thrown).message} Try: rookery up`,
    );
  }
  if (before && before.version !== build.version)
    printNote(`Rookery was upgraded from ${before.version} to ${build.version}.`);
  return outcome;
}
