import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repository, runProcess } from "./rookery.ts";

const run = promisify(execFile);
const read = (path: string): any => JSON.parse(readFileSync(path, "utf8"));

export interface Tarball {
  file: string;
  version: string;
}

/** This version and the next one, built and packed with `npm pack`. Cached until the sources change. */
export async function packTarballs(): Promise<{ older: Tarball; newer: Tarball }> {
  const { version, build } = read(join(repository, "plugin", "dist", "build.json"));
  const folder = join(repository, ".tmp", "tarballs", build);
  const next = version.replace(/\d+$/, (patch: string) => String(Number(patch) + 1));
  const tarball = (each: string): Tarball => ({ file: join(folder, `rookery-${each}.tgz`), version: each });
  const [older, newer] = [tarball(version), tarball(next)];
  for (const other of existsSync(dirname(folder)) ? readdirSync(dirname(folder)) : [])
    if (other !== build) rmSync(join(dirname(folder), other), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Sequential, because each is a full build.
  for (const wanted of [older, newer]) if (!existsSync(wanted.file)) await pack(wanted);
  return { older, newer };
}

/** Builds a copy of the sources, because other tests use the checkout's build. */
async function pack({ file, version }: Tarball): Promise<void> {
  const copy = mkdtempSync(join(repository, ".tmp", "pack-"));
  try {
    const isBuilt = (path: string): boolean => /^dist($|\.)/.test(basename(path));
    for (const name of ["src", "scripts", "plugin", "docs", ".claude-plugin"])
      cpSync(join(repository, name), join(copy, name), { recursive: true, filter: (path) => !isBuilt(path) });
    for (const name of ["package.json", "package-lock.json", ".npmrc", "README.md", "LICENSE"])
      cpSync(join(repository, name), join(copy, name));
    linkModules(copy);
    for (const name of ["package.json", "plugin/.claude-plugin/plugin.json"])
      writeFileSync(join(copy, name), JSON.stringify({ ...read(join(copy, name)), version }, null, 2));
    const { stdout } = await run("npm", ["pack", "--json", "--silent"], { cwd: copy });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
    renameSync(join(copy, filename), file);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Links the build's dependencies, and writes the stamp of a complete install so that nothing is installed. */
function linkModules(copy: string): void {
  const modules = join(repository, "node_modules");
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(modules))
    if (name !== ".rookery-installed") symlinkSync(join(modules, name), join(copy, "node_modules", name));
  const lock = createHash("sha256")
    .update(readFileSync(join(copy, "package-lock.json")))
    .digest("hex");
  writeFileSync(join(copy, "node_modules", ".rookery-installed"), lock);
}

/** `npm install -g` into a prefix, without network and scripts. */
export async function installTarball(
  { file }: Tarball,
  prefix: string,
  env: Record<string, string>,
): Promise<void> {
  const args = [
    "install",
    "-g",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefix",
    prefix,
    file,
  ];
  const npmEnv = {
    ...env,
    npm_config_cache: join(prefix, ".npm-cache"),
    npm_config_update_notifier: "false",
  };
  const ran = await runProcess("npm", args, "", npmEnv);
  if (ran.code !== 0) throw new Error(`npm ${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
}
