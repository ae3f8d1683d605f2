import { spawn } from "node:child_process";
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readDaemonFile } from "../../client/discover.ts";
import { callDaemon } from "../../client/request.ts";
import { loadConfig } from "../../config/load.ts";
import { findPlugin } from "../../install/plugin.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { build } from "../../shared/build.ts";
import { toAppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { formatBytes } from "../format.ts";
import { describeInstall } from "../plugin-install.ts";
import { describePresence } from "../say-presence.ts";

interface Finding {
  what: string;
  verdict: "ok" | "warning" | "problem";
  said: string;
  /** What to do about it. */
  fix?: string;
}

type Check = (context: CliContext) => Finding | Promise<Finding>;

export const doctor: Command = {
  summary: "Check everything Rookery needs, and say how to mend what is wrong.",
  usage: "",
  examples: ["rookery doctor", "rookery doctor --json"],
  async run(context) {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(await check(context));
    if (context.isJson) context.print(JSON.stringify(findings, null, 2));
    else for (const finding of findings) context.print(formatFinding(finding));
    return findings.some(({ verdict }) => verdict === "problem") ? 6 : 0;
  },
};

const marks = { ok: "ok  ", warning: "note", problem: "BAD " };

function formatFinding({ what, verdict, said, fix }: Finding): string {
  return `${marks[verdict]}  ${what.padEnd(14)} ${said}${fix ? `\n      → ${fix}` : ""}`;
}

const checks: readonly Check[] = [
  () => ({ what: "Node", verdict: "ok", said: `${process.version} at ${process.execPath}` }),

  async () => {
    const { code, stdout } = await run("bash", ["-c", "printf %s $BASH_VERSION"], "", {});
    return code === 0
      ? { what: "bash", verdict: "ok", said: stdout }
      : {
          what: "bash",
          verdict: "problem",
          said: "not found",
          fix: 'Install bash, or use the Node hook (docs/hooks.md, "Without bash").',
        };
  },

  ({ home }) => {
    const mode = statSync(home.root, { throwIfNoEntry: false })?.mode;
    if (mode === undefined)
      return { what: "Home", verdict: "problem", said: `${home.root} does not exist`, fix: "rookery start" };
    const isPrivate = process.platform === "win32" || (mode & 0o077) === 0;
    return isPrivate
      ? { what: "Home", verdict: "ok", said: home.root }
      : {
          what: "Home",
          verdict: "problem",
          said: `${home.root} can be read by others`,
          fix: `chmod 700 ${home.root}`,
        };
  },

  ({ home }) => {
    // Where the home will be, if it is not yet: on the disk of its nearest folder that is there.
    let folder = home.root;
    while (!existsSync(folder)) folder = dirname(folder);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    return free > 500_000_000
      ? { what: "Disk", verdict: "ok", said: `${formatBytes(free)} free` }
      : {
          what: "Disk",
          verdict: "warning",
          said: `only ${formatBytes(free)} free`,
          fix: "Free some space: capture pauses when there is none.",
        };
  },

  ({ home, environment }) => {
    try {
      loadConfig(home.config, environment);
      return { what: "Configuration", verdict: "ok", said: home.config };
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      return { what: "Configuration", verdict: "problem", said: message, fix: hint };
    }
  },

  async ({ address, home }) => {
    try {
      const report = await callDaemon<StatusReport>(address, { path: "/api/status", timeoutMs: 3_000 });
      const running = readDaemonFile(home.daemonFile);
      if (running && running.build !== build.build)
        return {
          what: "Daemon",
          verdict: "warning",
          said: `runs build ${running.build}, this is ${build.build}`,
          fix: "rookery restart",
        };
      if (report.status !== "ok")
        return {
          what: "Daemon",
          verdict: "problem",
          said: `paused: ${report.reason}`,
          fix: "Free some disk space.",
        };
      return { what: "Daemon", verdict: "ok", said: `pid ${report.pid}, ${report.url}` };
    } catch (thrown) {
      return {
        what: "Daemon",
        verdict: "problem",
        said: toAppError(thrown).message,
        fix: "rookery start, then rookery logs",
      };
    }
  },

  checkReach,

  async ({ pluginRoot, home }) => {
    const started = Date.now();
    const hook = join(pluginRoot, "hooks", "hook.sh");
    const { code, stdout, stderr } = await run("bash", [hook, "Ping"], "{}", { ROOKERY_HOME: home.root });
    if (code === 0 && stdout === "pong")
      return {
        what: "Hook",
        verdict: "ok",
        said: `round trip through ${hook} in ${Date.now() - started} ms`,
      };
    const said = stderr || stdout || "no answer from the daemon";
    return { what: "Hook", verdict: "problem", said: `${hook}: ${said}`, fix: "rookery restart" };
  },

  async (context) => {
    const plan = describeInstall(context);
    if (!plan)
      return {
        what: "Plugin",
        verdict: "warning",
        said: "no `claude` on PATH",
        fix: "Install Claude Code, then: rookery install",
      };
    try {
      const plugin = await findPlugin(plan.claude);
      if (!plugin)
        return { what: "Plugin", verdict: "warning", said: "not installed", fix: "rookery install" };
      if (!plugin.enabled)
        return {
          what: "Plugin",
          verdict: "warning",
          said: "installed but disabled",
          fix: "claude plugin enable rookery",
        };
      return { what: "Plugin", verdict: "ok", said: `version ${plugin.version ?? "?"} in ${plan.claude}` };
    } catch (thrown) {
      return {
        what: "Plugin",
        verdict: "problem",
        said: toAppError(thrown).message,
        fix: "claude plugin list",
      };
    }
  },
];

/** Whether a question would find its person, and whether something could not be sent. */
async function checkReach({ address }: CliContext): Promise<Finding> {
  const what = "Reaching you";
  try {
    const { channels, outbox, presence } = await callDaemon<StatusReport>(address, { path: "/api/status" });
    const broken = channels.find(({ state }) => state === "misconfigured" || state === "failing");
    if (broken)
      return { what, verdict: "problem", said: `${broken.name} is ${broken.state}`, fix: broken.detail };
    if (outbox.parked > 0) {
      const said = `${outbox.parked} messages to you were given up`;
      return { what, verdict: "warning", said, fix: "rookery outbox, then rookery outbox --retry ID" };
    }
    const unpaired = channels.find(
      ({ canAnswer, state, people }) => canAnswer && state !== "off" && people === 0,
    );
    if (unpaired) {
      const fix = `rookery pair ${unpaired.name}`;
      return { what, verdict: "warning", said: `nobody is paired on ${unpaired.name}`, fix };
    }
    const ready = channels.filter(({ state }) => state !== "off").map(({ name }) => name);
    return {
      what,
      verdict: "ok",
      said: `${ready.join(", ") || "no channel is on"}. ${describePresence(presence)}`,
    };
  } catch (thrown) {
    return { what, verdict: "warning", said: toAppError(thrown).message };
  }
}

function run(
  command: string,
  args: string[],
  input: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { PATH: "/usr/bin:/bin:/usr/local/bin", ...environment },
      timeout: 5_000,
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
    child.on("error", (error) => resolve({ code: null, stdout, stderr: error.message }));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => {}); // It ended without reading: its exit code says the rest.
    child.stdin.end(input);
  });
}
