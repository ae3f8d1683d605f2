import { cleanUnattended, readUnattended } from "../daemon/care/unattended.ts";

/** `node leave.js look DATABASE` and `node leave.js clean DATABASE ROOT`: print one JSON value for `rookery uninstall`, which does not start a daemon. */
const [task, database = "", root = ""] = process.argv.slice(2);
const found = task === "clean" ? cleanUnattended(database, root) : readUnattended(database);
process.stdout.write(`${JSON.stringify(found)}\n`);
