import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Check, ok, problem, quotePath, type Remark, warning } from "./finding.ts";
import type { Examination } from "./examination.ts";

/** The oldest Node whose `node:sqlite` does all we need; the launcher asks for the same. */
const oldest = [22, 16] as const;
const advice = "Install Node 22.16 or newer (https://nodejs.org), or set ROOKERY_NODE to the path of one.";

export const runtimeChecks: readonly Check[] = [
  { what: "Node", look: checkNode },
  { what: "Launcher", look: checkLauncher },
  { what: "SQLite", look: checkSqlite },
  { what: "bash", look: checkBash },
];

function checkNode(): Remark {
  const said = `${process.version} at ${process.execPath}`;
  return isNewEnough(process.versions.node) ? ok(said) : problem(`${said} is too old`, advice);
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The launcher remembers the Node it found and does not look again as long as that file is there. */
async function checkLauncher({ context, run }: Examination): Promise<Remark> {
  const launcher = join(context.pluginRoot, "bin", "rookery");
  if (!existsSync(launcher)) return problem(`${launcher} is missing`, "Install Rookery again: npm start");
  const chosen = context.environment.ROOKERY_NODE;
  const memo = join(context.home.run, "node");
  const remembered = existsSync(memo) ? readFileSync(memo, "utf8").trim() : "";
  const node = chosen || remembered;
  if (!node) return ok("looks for a Node at its next run");
  const { code, stdout, stderr } = await run(node, ["-p", "process.versions.node"]);
  if (code === 0 && isNewEnough(stdout.trim()))
    return ok(`${chosen ? "ROOKERY_NODE" : "remembers"} ${node} (${stdout.trim()})`);
  const why = code === 0 ? `is version ${stdout.trim()}` : `does not run: ${stderr.trim().split("\n")[0]}`;
  if (chosen) return problem(`ROOKERY_NODE ${node} ${why}`, `unset ROOKERY_NODE, or: ${advice}`);
  return problem(`remembers ${node}, which ${why}`, `rm ${quotePath(memo)}`, () => {
    rmSync(memo, { force: true });
    return `removed ${memo}: the launcher looks for a Node again`;
  });
}

async function checkSqlite(examination: Examination): Promise<Remark> {
  try {
    const { sqlite, hasFullText } = await examination.inspection();
    if (hasFullText) return ok(`${sqlite} in Node, with full-text search`);
    return problem(`${sqlite} in Node has no full-text search (FTS5)`, advice);
  } catch (error) {
    return problem(`does not run: ${(error as Error).message}`, advice);
  }
}

async function checkBash(examination: Examination): Promise<Remark> {
  const { path, version } = await findBash(examination);
  if (version === undefined)
    return problem(
      `there is no ${path}: no hook runs, and nothing is captured`,
      'Install it, or register the Node hook: docs/hooks.md, "Without bash".',
    );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 3 || (major === 3 && minor < 2))
    return warning(`${version} is older than any that was tried`, "Install bash 3.2 or newer.");
  return ok(version);
}

/** The bash that the first line of the hook names; hosts start the hook itself, so PATH does not count. */
export async function findBash({
  context,
  run,
}: Examination): Promise<{ path: string; version: string | undefined }> {
  const [, path = "/bin/bash"] =
    /^#!(\S+)/.exec(readFileSync(join(context.pluginRoot, "hooks", "hook.sh"), "utf8")) ?? [];
  const { code, stdout } = await run(path, ["-c", "printf %s $BASH_VERSION"]);
  return { path, version: code === 0 ? stdout : undefined };
}
