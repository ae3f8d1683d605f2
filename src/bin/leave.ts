import { removeSectionsOffline, readOffline } from "../daemon/care/offline.ts";

/**
 * `node leave.js look DATABASE` and `node leave.js clean DATABASE ROOT`: print one JSON value for `rookery uninstall`,
 * which does not start a daemon.
 */
const [task, database = "", root = ""] = process.argv.slice(2);
const found = task === "clean" ? removeSectionsOffline(database, root) : readOffline(database);
process.stdout.write(`${JSON.stringify(found)}\n`);
