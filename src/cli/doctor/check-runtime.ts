import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Check, ok, problem, quotePath, type CheckResult, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";

/** The first Node whose `node:sqlite` has all we need; the launcher requires the same. */
const minVersion = [22, 16] as const;
const advice = "Install Node 22.16 or newer (https://nodejs.org), or set ROOKERY_NODE to the path of one.";

export const runtimeChecks: readonly Check[] = [
  { check: "Node", run: checkNode },
  { check: "Launcher", run: checkLauncher },
  { check: "SQLite", run: checkSqlite },
  { check: "bash", run: checkBash },
];

function checkNode(): CheckResult {
  const message = `${process.version} at ${process.execPath}`;
  return isNewEnough(process.versions.node) ? ok(message) : problem(`${message} is too old`, advice);
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1]);
}

/** The launcher caches the path of the Node it found, and searches again only if that file is gone. */
async function checkLauncher({ context, run }: DoctorFacts): Promise<CheckResult> {
  const launcher = join(context.pluginRoot, "bin", "rookery");
  if (!existsSync(launcher)) return problem(`${launcher} is missing`, "Install Rookery again: npm start");
  const chosen = context.environment.ROOKERY_NODE;
  const memo = join(context.home.run, "node");
  const remembered = existsSync(memo) ? readFileSync(memo, "utf8").trim() : "";
  const node = chosen || remembered;
  if (!node) return ok("no cached path; it searches for Node on its next run");
  const { code, stdout, stderr } = await run(node, ["-p", "process.versions.node"]);
  if (code === 0 && isNewEnough(stdout.trim()))
    return ok(`${chosen ? "ROOKERY_NODE" : "cached"} ${node} (${stdout.trim()})`);
  const why = code === 0 ? `is version ${stdout.trim()}` : `does not run: ${stderr.trim().split("\n")[0]}`;
  if (chosen) return problem(`ROOKERY_NODE ${node} ${why}`, `unset ROOKERY_NODE, or: ${advice}`);
  return problem(`its cached Node ${node} ${why}`, `rm ${quotePath(memo)}`, () => {
    rmSync(memo, { force: true });
    return `removed ${memo}; the launcher searches for Node again`;
  });
}

async function checkSqlite(facts: DoctorFacts): Promise<CheckResult> {
  try {
    const { sqlite, hasFullText } = await facts.inspection();
    if (hasFullText) return ok(`${sqlite} in Node, with full-text search`);
    return problem(`${sqlite} in Node has no full-text search (FTS5)`, advice);
  } catch (error) {
    return problem(`does not run: ${(error as Error).message}`, advice);
  }
}

async function checkBash(facts: DoctorFacts): Promise<CheckResult> {
  const { path, version } = await findBash(facts);
  if (version === undefined)
    return problem(
      `${path} is missing: hooks cannot run, and nothing is captured`,
      'Install it, or register the Node hook: docs/hooks.md, "Without bash".',
    );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 3 || (major === 3 && minor < 2))
    return warning(`${version} is older than any tested version`, "Install bash 3.2 or newer.");
  return ok(version);
}

/** The bash in the hook's shebang line; hosts execute the hook directly, so PATH is irrelevant. */
export async function findBash({
  context,
  run,
}: DoctorFacts): Promise<{ path: string; version: string | undefined }> {
  const [, path = "/bin/bash"] =
    /^#!(\S+)/.exec(readFileSync(join(context.pluginRoot, "hooks", "hook.sh"), "utf8")) ?? [];
  const { code, stdout } = await run(path, ["-c", "printf %s $BASH_VERSION"]);
  return { path, version: code === 0 ? stdout : undefined };
}
