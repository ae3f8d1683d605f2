import { workerData } from "node:worker_threads";
import { backUp } from "../../sqlite/backup.ts";
import { findDamage, openDatabase } from "../../sqlite/sqlite.ts";
import { measureEvents } from "../../store/events.ts";
import { readPortable } from "../../store/portable.ts";
import { findForgotten } from "../care/find-forgotten.ts";
import type { CareJobs } from "../care/open-care.ts";
import { findFilesWith } from "../care/scan-files.ts";
import { serveJobs } from "../runtime/job-worker.ts";

/** Jobs that may read the entire database, on a read-only connection; the main thread writes the results. */
export function serveCare(): void {
  const { database } = workerData as { database: string };
  const db = openDatabase(database, { readOnly: true });
  serveJobs<CareJobs>({
    findForgotten: (target) => findForgotten(db, target),
    findFilesWith,
    findDamage: () => findDamageIn(database),
    backUp: (target) => backUp(database, target),
    measureEvents: (limits) => measureEvents(db, limits),
    exportPage: ({ filter, place }) => readPortable(db, filter, place),
  });
}

/**
 * On a connection of its own: the check of a full-text table uses the connection's cached list of segments, which is out
 * of date after another connection has merged them, and reports the missing ones as damage.
 */
function findDamageIn(path: string): string | undefined {
  const db = openDatabase(path, { readOnly: true });
  try {
    return findDamage(db);
  } finally {
    db.close();
  }
}
