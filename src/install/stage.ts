import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { locateSourceFile, locateStaged, readSource, readStagedBuild } from "../shared/staged.ts";
import { type Build, isNewerBuild } from "../shared/build.ts";
import { AppError } from "../shared/errors.ts";
import { hashPlugin } from "./hash-plugin.ts";

/** A checkout or an unpacked package. */
export interface Package {
  pluginRoot: string;
  build: Build;
}

/**
 * Copies this build into our home and points `current` to it. A package manager empties its folder during an upgrade,
 * and Claude Code reports an error at every hook of a session whose plugin is missing: so sessions run a copy, and an
 * upgrade is one rename. The previous build stays, because running processes may still load files from it. A newer
 * build is left alone.
 */
export function stagePlugin(app: string, { pluginRoot, build }: Package): "staged" | "present" | "newer" {
  const staged = readStagedBuild(app);
  if (staged?.build === build.build) {
    recordSource(app, pluginRoot);
    return "present";
  }
  if (staged && !isNewerBuild(build, staged)) return "newer";
  mkdirSync(app, { recursive: true, mode: 0o700 });
  const name = `${build.version}-${build.build}`;
  if (!existsSync(join(app, name))) copyBuild(app, name, { pluginRoot, build });
  const before = staged && basename(readlinkSync(join(app, "current")));
  const next = join(app, `.current-${process.pid}`);
  rmSync(next, { force: true });
  symlinkSync(join(app, name), next, "junction");
  renameSync(next, join(app, "current"));
  recordSource(app, pluginRoot);
  removeOldBuilds(app, [name, before, "current"]);
  return "staged";
}

/** The daemon checks this folder for a newer build. A staged copy is never recorded as a source. */
function recordSource(app: string, pluginRoot: string): void {
  const plugin = realpathSync(pluginRoot);
  if (plugin === realpathSync(locateStaged(app)) || plugin === readSource(app)) return;
  writeFileSync(locateSourceFile(app), `${plugin}\n`, { mode: 0o600 });
}

function removeOldBuilds(app: string, kept: (string | undefined)[]): void {
  // Another process may be about to rename its link.
  for (const entry of readdirSync(app))
    if (!kept.includes(entry) && !entry.startsWith(".current-"))
      rmSync(join(app, entry), { recursive: true, force: true });
}

/** Renamed into place when complete: a package may be half unpacked, or the disk full. */
function copyBuild(app: string, name: string, { pluginRoot, build }: Package): void {
  const next = mkdtempSync(join(app, ".next-"));
  try {
    // `dist.next` and `dist.old` belong to a build in progress.
    const filter = (path: string): boolean => !basename(path).startsWith("dist.");
    cpSync(pluginRoot, join(next, "plugin"), { recursive: true, filter });
    cpSync(join(dirname(pluginRoot), ".claude-plugin"), join(next, ".claude-plugin"), { recursive: true });
    if (hashPlugin(join(next, "plugin")) !== build.build)
      throw new AppError("package_damaged", `${pluginRoot} does not match build ${name}.`);
    setModes(next);
    renameSync(next, join(app, name));
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    // Another process staged the same build first.
    if (!existsSync(join(app, name))) throw error;
  }
}

/** Hosts execute these directly. A zip archive or a foreign file system may have lost their modes. */
const executables = ["bin/rookery", "hooks/hook.sh", "mcp/greet.sh", "monitors/wake.sh"];

function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, statSync(path).mode & 0o700);
  }
  for (const path of executables.map((name) => join(folder, "plugin", name)))
    if (existsSync(path)) chmodSync(path, 0o700);
}
