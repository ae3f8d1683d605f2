import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { locateSourceNote, locateStaged, readSource, readStaged } from "../shared/staged.ts";
import { type Build, isNewerBuild } from "../shared/build.ts";
import { AppError } from "../shared/errors.ts";
import { hashPlugin } from "./hash-plugin.ts";

/** A checkout, or what a package manager unpacked. */
export interface Package {
  pluginRoot: string;
  build: Build;
}

/**
 * Puts this build into our own home and points `current` to it. A package manager empties its folder before it fills it again,
 * and Claude Code complains at every hook of a session whose plugin is not there: so sessions run a copy, and an upgrade is one
 * rename. The build before stays, because what was started from it may still load parts of itself. A newer one is left alone.
 */
export function stagePlugin(app: string, { pluginRoot, build }: Package): "staged" | "present" | "newer" {
  const staged = readStaged(app);
  if (staged?.build === build.build) {
    noteSource(app, pluginRoot);
    return "present";
  }
  if (staged && !isNewerBuild(build, staged)) return "newer";
  mkdirSync(app, { recursive: true, mode: 0o700 });
  const name = `${build.version}-${build.build}`;
  if (!existsSync(join(app, name))) copyWhole(app, name, { pluginRoot, build });
  const before = staged && basename(readlinkSync(join(app, "current")));
  const next = join(app, `.current-${process.pid}`);
  rmSync(next, { force: true });
  symlinkSync(join(app, name), next, "junction");
  renameSync(next, join(app, "current"));
  noteSource(app, pluginRoot);
  removeOthers(app, [name, before, "current"]);
  return "staged";
}

/** The daemon looks there for a newer build. The copy itself is the source of nothing. */
function noteSource(app: string, pluginRoot: string): void {
  const plugin = realpathSync(pluginRoot);
  if (plugin === realpathSync(locateStaged(app)) || plugin === readSource(app)) return;
  writeFileSync(locateSourceNote(app), `${plugin}\n`, { mode: 0o600 });
}

function removeOthers(app: string, kept: (string | undefined)[]): void {
  // Another process may be about to rename its link.
  for (const entry of readdirSync(app))
    if (!kept.includes(entry) && !entry.startsWith(".current-"))
      rmSync(join(app, entry), { recursive: true, force: true });
}

/** Under its name only when it is whole: a package may be half unpacked, a disk full. */
function copyWhole(app: string, name: string, { pluginRoot, build }: Package): void {
  const next = mkdtempSync(join(app, ".next-"));
  try {
    // `dist.next` and `dist.old` are a build that runs at the moment.
    const filter = (path: string): boolean => !basename(path).startsWith("dist.");
    cpSync(pluginRoot, join(next, "plugin"), { recursive: true, filter });
    cpSync(join(dirname(pluginRoot), ".claude-plugin"), join(next, ".claude-plugin"), { recursive: true });
    if (hashPlugin(join(next, "plugin")) !== build.build)
      throw new AppError("package_damaged", `${pluginRoot} is not what was built as ${name}.`);
    setModes(next);
    renameSync(next, join(app, name));
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    // Two at once: the other one was first with the same.
    if (!existsSync(join(app, name))) throw error;
  }
}

/** Hosts execute these themselves. A zip archive or a foreign file system may have lost their modes. */
const executables = ["bin/rookery", "hooks/hook.sh", "monitors/wake.sh"];

function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, statSync(path).mode & 0o700);
  }
  for (const path of executables.map((name) => join(folder, "plugin", name)))
    if (existsSync(path)) chmodSync(path, 0o700);
}
