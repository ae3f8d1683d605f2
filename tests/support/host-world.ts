import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { endSurvivors } from "./claude.ts";
import { openScriptedApi, type ScriptedApi } from "./scripted-api.ts";
import { plugin, type Ran, repository, runProcess } from "./rookery.ts";

/** The real CLI of another host with its own home, project and scripted model: no account, no network except loopback. */
export interface HostWorld {
  root: string;
  home: string;
  project: string;
  /** The complete environment of every process of this world. */
  env: Record<string, string>;
  model: ScriptedApi;
  /** Runs a program in the project. */
  run(program: string, ...args: string[]): Promise<Ran>;
  /** Kills the remaining processes of this world, and throws with their names if there are any. */
  close(): Promise<void>;
}

export async function openHostWorld(more: Record<string, string> = {}): Promise<HostWorld> {
  // Not os.tmpdir(): socket paths must stay short.
  const root = realpathSync(mkdtempSync("/tmp/rk-"));
  const [home, project, tmp] = ["home", "project", "tmp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  const env = {
    ...{
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: home,
      TMPDIR: tmp,
      TERM: "xterm",
      LANG: "C.UTF-8",
    },
    ROOKERY_HOME: join(root, "rookery"),
    ROOKERY_NODE: process.execPath,
    ROOKERY_PORT: "0",
    ROOKERY_MATRIX_PORT: "0",
    ...more,
  };
  const model = await openScriptedApi();
  return {
    root,
    home,
    project,
    env,
    model,
    run: (program, ...args) =>
      runProcess("sh", ["-c", 'cd "$0" && exec "$@"', project, program, ...args], "", env),
    async close() {
      try {
        await endSurvivors(root);
      } finally {
        await model.close();
        rmSync(root, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

/** Text that creates files when a shell evaluates it. */
interface ShellBait {
  prompt: string;
  /** A command whose output contains the same text. */
  command: string;
  /** The files created so far. */
  sprung(): string[];
}

export function layShellBait({ root }: HostWorld): ShellBait {
  const folder = join(root, "sprung");
  mkdirSync(folder);
  const touch = (name: string): string =>
    `$(touch ${join(folder, `${name}-dollar`)}) \`touch ${join(folder, `${name}-backtick`)}\``;
  return {
    prompt: `say ${touch("prompt")}`,
    command: `printf '%s' '${touch("tool")}'`,
    sprung: () => readdirSync(folder).toSorted(),
  };
}

export const allBait = ["prompt-backtick", "prompt-dollar", "tool-backtick", "tool-dollar"];

/** The marketplace in this checkout, or a copy with the hooks of earlier builds: `bash` and the script in `args`. */
export function placeMarketplace({ root }: HostWorld, form: "current" | "bash"): string {
  if (form === "current") return repository;
  const marketplace = join(root, "marketplace");
  for (const part of [".claude-plugin", "plugin/.claude-plugin", "plugin/hooks"])
    cpSync(join(repository, part), join(marketplace, part), { recursive: true });
  startBash(join(marketplace, "plugin", "hooks", "hooks.json"));
  return marketplace;
}

/** Rewrites our hooks in a file to the form of earlier builds. */
export function startBash(file: string): void {
  const value = JSON.parse(readFileSync(file, "utf8"), (_key, each: any) =>
    typeof each?.command === "string" && each.command.endsWith("/hook.sh")
      ? { ...each, command: "bash", args: [each.command, ...each.args] }
      : each,
  );
  writeFileSync(file, JSON.stringify(value, null, 2));
}

/** Names of the files in the spool. */
export function listSpooled({ env }: HostWorld): string[] {
  const spool = join(env.ROOKERY_HOME ?? "", "spool");
  return existsSync(spool) ? readdirSync(spool) : [];
}

export const launcher = join(plugin, "bin", "rookery");

/** Moves a host to another one's project and daemon; it keeps its own home. */
export async function joinProject(
  world: HostWorld,
  project: string,
  rookeryHome: string,
  host: string,
): Promise<void> {
  rmSync(world.project, { recursive: true });
  symlinkSync(project, world.project);
  world.env.ROOKERY_HOME = rookeryHome;
  expect(await world.run("sh", launcher, "install", "--host", host)).toMatchObject({ code: 0 });
}
