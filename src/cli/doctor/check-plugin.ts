import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { locateStaged, readStagedBuild } from "../../shared/staged.ts";
import { pluginId } from "../../install/ours.ts";
import { installPlugin, type ListedPlugin, type PluginInstall } from "../../install/plugin.ts";
import { build, isNewerBuild } from "../../shared/build.ts";
import { toAppError } from "../../shared/errors.ts";
import { makePluginInstall, locateClaudeFolder, stageForSessions } from "../plugin-install.ts";
import { type Check, ok, problem, quotePath, type CheckResult, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { findSettingsHooks, type SettingsHook } from "./settings-hooks.ts";

export const pluginChecks: readonly Check[] = [
  { check: "Plugin", run: checkPlugin },
  { check: "Settings hooks", run: checkSettingsHooks },
  { check: "Other memory", run: checkOtherMemory },
];

async function checkPlugin(facts: DoctorFacts): Promise<CheckResult> {
  const install = facts.claude();
  if (!install) return warning("no `claude` on PATH", "Install Claude Code, then: rookery install");
  let plugin: ListedPlugin | undefined;
  try {
    plugin = (await facts.plugins()).find(({ id }) => id === pluginId);
  } catch (thrown) {
    return problem(toAppError(thrown).message, "claude plugin list");
  }
  const hasSettingsHooks = listSettingsHooks(facts).length > 0;
  if (!plugin)
    return hasSettingsHooks
      ? ok("not installed; the hooks are in the settings")
      : warning("not installed: sessions are not captured", "rookery install");
  if (!plugin.enabled)
    return hasSettingsHooks
      ? ok("disabled; the hooks are in the settings")
      : warning("installed but disabled: sessions are not captured", `claude plugin enable ${pluginId}`);
  return judgePlace(facts, plugin, install);
}

/** Claude Code loads the plugin from our folder: sessions lose it if the folder is gone or another one is registered. */
function judgePlace({ context }: DoctorFacts, plugin: ListedPlugin, install: PluginInstall): CheckResult {
  const { home } = context;
  const { version, errors = [], errorDetails = [] } = plugin;
  const place = locateStaged(home.app);
  const isGone = errorDetails.some(({ type }) => type === "marketplace-load-failed");
  if (isGone)
    return problem("the folder it was installed from is gone", "rookery install", async () => {
      stageForSessions(context);
      await installPlugin(makePluginInstall(context) ?? install);
      return `registered the plugin in ${place}; new sessions load it`;
    });
  const [error] = errors;
  if (error) return problem(`Claude Code does not load it: ${error}`, "claude plugin list; rookery install");
  const folder = plugin.readFromFolder ?? plugin.installPath;
  if (folder !== undefined && !isSamePlace(folder, place))
    return warning(`sessions use the plugin in ${folder}, not the one in ${place}`, "rookery install");
  const staged = readStagedBuild(home.app);
  if (staged && staged.build !== build.build)
    return warning(
      `sessions run ${staged.version} (build ${staged.build}), but this command is ${build.version} (build ${build.build})`,
      isNewerBuild(build, staged) ? "rookery install" : `${place}/bin/rookery doctor`,
    );
  if (version !== undefined && version !== build.version)
    return warning(
      `version ${version} is registered, but this command is ${build.version}`,
      "rookery install",
    );
  return ok(`version ${build.version}, loaded from ${place}`);
}

function isSamePlace(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}

function listSettingsHooks({ context }: DoctorFacts): SettingsHook[] {
  const folders = [locateClaudeFolder(context), join(context.cwd, ".claude")];
  return findSettingsHooks(
    [...new Set(folders)].flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((file) => join(folder, file)),
    ),
  );
}

/** Our hooks in settings files. With the plugin enabled as well, every event would be reported twice. */
async function checkSettingsHooks(facts: DoctorFacts): Promise<CheckResult | CheckResult[]> {
  const hooks = listSettingsHooks(facts);
  const files = [...new Set(hooks.map(({ file }) => file))];
  const missing = hooks.find(({ script }) => !existsSync(script));
  if (missing)
    return problem(
      `${missing.file} runs ${missing.script}, which does not exist`,
      `Remove the hooks that name it from ${quotePath(missing.file)}`,
    );
  const unsafe = hooks.find(({ runsPayload }) => runsPayload);
  if (unsafe)
    return problem(
      `${unsafe.file} starts bash with our hook as its argument: agents that ignore "args" execute prompts as shell commands`,
      `rookery up; if that does not help: make ${unsafe.script} the "command" and the event its only argument`,
    );
  const plugins = await facts.plugins().catch(() => []);
  const isPluginOn = plugins.some(({ id, enabled }) => id === pluginId && enabled);
  if (isPluginOn && files.length > 0)
    return problem(
      `our hooks are in ${files.join(", ")} and also in the plugin: every event is reported twice`,
      `claude plugin disable ${pluginId}, or remove them from ${files.map(quotePath).join(", ")}`,
    );
  if (files.length > 1)
    return problem(`our hooks are in ${files.join(" and ")}`, "Keep them in only one of these files.");
  return ok(files.length === 1 ? `in ${files[0]}` : "none");
}

const otherMemory = /^claude-mem@/;

async function checkOtherMemory(facts: DoctorFacts): Promise<CheckResult> {
  const plugins = await facts.plugins().catch(() => []);
  const other = plugins.find(({ id, enabled }) => otherMemory.test(id) && enabled);
  if (!other) return ok("none");
  const database = join(facts.context.environment.HOME ?? "", ".claude-mem", "claude-mem.db");
  const bring = existsSync(database) ? "rookery import claude-mem, then: " : "";
  return warning(
    `${other.id} is also enabled: two memories capture every session and add context to it`,
    `To switch: ${bring}claude plugin disable ${other.id}`,
  );
}
