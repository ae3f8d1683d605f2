import { join } from "node:path";
import { afterEach } from "vitest";
import { ensureDaemon } from "../../src/client/start.ts";
import { makeDaemonEnvironment } from "../../src/config/environment.ts";
import { prepareHome } from "../../src/config/home.ts";
import { type Build, readBuildFile } from "../../src/shared/build.ts";
import { describeProcesses, processesMentioning, signalProcess, waitFor } from "./processes.ts";
import { openRookery, type Rookery } from "./rookery.ts";

type TearDown = (close: () => Promise<void>) => void;

/** For files that need no rooms: a daemon starts sooner without its homeserver. */
export function useRookeriesWithoutRooms(tearDown?: TearDown): ReturnType<typeof useRookeries> {
  return useRookeries(tearDown, { ROOKERY_MATRIX_ENABLED: "false" });
}

/** Homes with automatic teardown. Fails if a process of one survives, and names it. */
export function useRookeries(
  tearDown: TearDown = afterEach,
  always: Record<string, string> = {},
): {
  open(env?: Record<string, string>, artefact?: string): Rookery;
  started(env?: Record<string, string>): Promise<Rookery>;
} {
  const opened: Rookery[] = [];
  tearDown(async () => {
    for (const rookery of opened.splice(0)) await closeAndCheck(rookery);
  });
  const open = (env?: Record<string, string>, artefact?: string): Rookery => {
    const rookery = openRookery({ ...always, ...env }, artefact);
    opened.push(rookery);
    return rookery;
  };
  return {
    open,
    async started(env) {
      const rookery = open(env);
      await startWithoutLauncher(rookery);
      return rookery;
    },
  };
}

/** Same as `rookery start`, but without starting two programs. */
async function startWithoutLauncher({ home, env, plugin }: Rookery): Promise<void> {
  prepareHome(home);
  await ensureDaemon({
    address: home,
    home,
    environment: makeDaemonEnvironment(env),
    daemonScript: join(plugin, "dist", "daemon.js"),
    build: readBuildFile(join(plugin, "dist", "build.json")) as Build,
    timeoutMs: 60_000,
  });
}

async function closeAndCheck(rookery: Rookery): Promise<void> {
  // Not the home's folder, which a test may put anywhere: processes that mention this name are killed.
  const { folder } = rookery;
  await rookery.close();
  try {
    await waitFor(async () => (await processesMentioning(folder)).length === 0);
  } catch (cause) {
    const survivors = await processesMentioning(folder);
    for (const { pid } of survivors) signalProcess(pid, "SIGKILL");
    throw new Error(`Outlived their home, now killed:\n${describeProcesses(survivors)}`, { cause });
  }
}
