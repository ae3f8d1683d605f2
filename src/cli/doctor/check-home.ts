import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  statSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { prepareHome } from "../../config/home.ts";
import { formatDuration, formatCount } from "../format.ts";
import { type Check, ok, problem, quotePath, type CheckResult, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";

export const homeChecks: readonly Check[] = [
  { check: "Home", run: checkHome },
  { check: "Permissions", run: checkPermissions },
  { check: "Leftovers", run: checkLeftovers },
];

/** More than a healthy home ever has; there is no need to list all of an overflowing spool. */
const maxFiles = 2_000;
/** Much longer than any build or write takes. */
const leftMs = 600_000;
const elsewhere = "Set ROOKERY_HOME to a folder that you own: export ROOKERY_HOME=$HOME/.rookery";

function checkHome({ context }: DoctorFacts): CheckResult {
  const { root } = context.home;
  const stats = statSync(root, { throwIfNoEntry: false });
  if (!stats)
    return problem(`${root} does not exist`, "rookery start", () => {
      prepareHome(context.home);
      return `created ${root}`;
    });
  if (!stats.isDirectory()) return problem(`${root} is not a folder`, elsewhere);
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(`you cannot write to ${root}`, `sudo chown -R "$(id -un)" ${quotePath(root)}`);
  }
  return ok(root);
}

/** The folder's mode keeps other users out; the modes of the files in it matter less. */
function checkPermissions({ context }: DoctorFacts): CheckResult {
  const { root } = context.home;
  if (process.platform === "win32") return ok("managed by Windows");
  const files = listFiles(root);
  const foreign = files.filter(({ stats }) => stats.uid !== process.getuid?.());
  const [stranger] = foreign;
  if (stranger)
    return problem(
      `${formatCount(foreign.length, "file")} owned by another user, such as ${stranger.path}`,
      `sudo chown -R "$(id -un)" ${quotePath(root)}`,
    );
  const open = files.filter(({ stats }) => (stats.mode & 0o077) !== 0 && !stats.isSymbolicLink());
  const [first] = open;
  if (!first) return ok(`${formatCount(files.length, "file")}, all private`);
  const isExposed = open.some(({ path }) => path === root);
  const name = isExposed ? root : relative(root, first.path);
  const others = open.length > 1 ? ` and ${open.length - 1} more` : "";
  const mode = (first.stats.mode & 0o777).toString(8).padStart(4, "0");
  return (isExposed ? problem : warning)(
    `other users can read ${name} (${mode})${others}`,
    `chmod -R go-rwx ${quotePath(root)}`,
    () => {
      for (const { path, stats } of open) chmodSync(path, stats.mode & 0o700);
      return `made ${formatCount(open.length, "file")} private`;
    },
  );
}

interface Listed {
  path: string;
  stats: Stats;
}

/** Without the compiled code that Node keeps in app/cache, in folders of its own modes. */
function listFiles(root: string): Listed[] {
  const uid = process.getuid?.();
  const found: Listed[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats || found.length >= maxFiles || folder === join(root, "app", "cache")) continue;
    found.push({ path: folder, stats });
    // A folder that we cannot read is reported itself.
    if (stats.isDirectory() && stats.uid === uid)
      folders.push(...readdirSync(folder).map((name) => join(folder, name)));
  }
  return found;
}

/** Left by an interrupted build or write: a copy of the code, or of the secrets. */
function checkLeftovers({ context, nowMs }: DoctorFacts): CheckResult {
  const { home, pluginRoot } = context;
  const left = [
    ...["dist.next", "dist.old"].map((name) => join(pluginRoot, name)),
    ...siblings(home.secrets).filter((path) => /\.\d+$/.test(path)),
    ...siblings(home.daemonFile).filter((path) => path.endsWith(".next")),
  ].filter((path) => nowMs - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) > leftMs);
  const [first] = left;
  if (!first) return ok("none");
  const message = `${left.map((path) => basename(path)).join(", ")}, older than ${formatDuration(leftMs)}`;
  return warning(message, `rm -r ${left.map(quotePath).join(" ")}`, () => {
    for (const path of left) rmSync(path, { recursive: true, force: true });
    return `removed ${left.map((path) => basename(path)).join(", ")}`;
  });
}

function siblings(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const prefix = `${basename(path)}.`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name));
}
