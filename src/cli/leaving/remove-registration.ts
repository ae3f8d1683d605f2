import { removeStatusLine } from "../../install/statusline.ts";
import { unregister } from "../../install/unregister.ts";
import { toAppError } from "../../shared/errors.ts";
import type { CliContext } from "../command.ts";
import { describeStatusLine } from "../commands/statusline.ts";
import { describeInstall, describeWhereabouts } from "../plugin-install.ts";
import type { LeavingReport } from "./report.ts";

/** Removes status line, plugin and settings from Claude Code. */
export async function removeRegistration(
  context: CliContext,
  dryRun: boolean,
  report: LeavingReport,
): Promise<"removed" | "absent"> {
  try {
    const { changes, file } = removeStatusLine(describeStatusLine(context), dryRun);
    if (changes.length > 0) report.removed.push(`the status line in ${file}`);
  } catch (thrown) {
    report.failed.push(toAppError(thrown).message);
  }
  const plugin = describeInstall(context);
  const { hadPlugin, edited, failures } = await unregister(describeWhereabouts(context), plugin, dryRun);
  if (hadPlugin) report.removed.push(`the plugin in ${plugin?.claude ?? "Claude Code"}`);
  for (const { file, changes } of edited) report.removed.push(`${changes.length} entries in ${file}`);
  report.failed.push(...failures);
  return hadPlugin || edited.length > 0 ? "removed" : "absent";
}
