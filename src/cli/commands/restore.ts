import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isAnswering, readDaemonFile } from "../../client/discover.ts";
import { waitUntilStopped } from "../../client/start.ts";
import { runningEndpoints } from "../../protocol/endpoints/running.ts";
import { AppError } from "../../shared/errors.ts";
import { isProcessAlive } from "../../shared/processes.ts";
import { callAsPerson, requireNoAgent } from "../call-as-person.ts";
import type { CliContext, Command } from "../command.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { startInstalledDaemon } from "../start-daemon.ts";

export const restore: Command = {
  summary: "Restore the daily copy of the database. The current database is kept next to it.",
  usage: "",
  examples: ["rookery restore"],
  async run(context) {
    const { home, isJson, print } = context;
    const copy = statSync(home.backup, { throwIfNoEntry: false });
    if (!copy) throw new AppError("backup_not_found", `There is no ${home.backup}.`);
    // Until the files are in place, no supervisor may start the daemon.
    const wasStopped = existsSync(home.stoppedByUser);
    writeFileSync(home.stoppedByUser, "", { mode: 0o600 });
    const pid = readDaemonFile(home.daemonFile)?.pid;
    await stopAsPerson(context).catch((error: unknown) => {
      if (!wasStopped) rmSync(home.stoppedByUser, { force: true });
      throw error;
    });
    if (pid !== undefined) await waitForEnd(pid);
    const kept = existsSync(home.database) ? setAside(home.database) : null;
    copyFileSync(home.backup, home.database);
    await startInstalledDaemon(context);
    const madeAt = copy.mtime.toISOString();
    if (isJson) print(JSON.stringify({ madeAt, bytes: copy.size, kept }));
    else {
      print(`Restored the copy of ${copy.mtime.toLocaleString()} (${formatBytes(copy.size)}).`);
      if (kept) print(`The previous database is kept: ${kept}`);
      print("Import later sessions from their transcripts: rookery import transcripts");
    }
    return 0;
  },
};

/** An agent could bring back what its person has changed since: pairings, settings, the audit log. */
async function stopAsPerson(context: CliContext): Promise<void> {
  if (!(await isAnswering(context.address, 5_000))) return requireNoAgent(context);
  await callAsPerson(context, runningEndpoints.stopDaemon, { body: { reason: "restore" } });
  await waitUntilStopped(context.startOptions);
}

/** The daemon closes the database last, after it has stopped answering. */
async function waitForEnd(pid: number): Promise<void> {
  const until = performance.now() + 5_000;
  while (isProcessAlive(pid)) {
    if (performance.now() > until)
      throw new AppError("daemon_unreachable", `The daemon (process ${pid}) does not exit.`);
    await pause(20);
  }
}

/** Named like a database that was set aside as damaged, so that `forget` and `uninstall` find it. */
function setAside(database: string): string {
  const target = `${database}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(database + suffix)) renameSync(database + suffix, target + suffix);
  return target;
}
