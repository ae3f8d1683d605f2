import { cleanUnattended, lookUnattended } from "../daemon/care/unattended.ts";

/** `node leave.js look DATABASE` and `node leave.js clean DATABASE ROOT`: for `rookery uninstall`, which starts no daemon. One JSON value. */
const [task, database = "", root = ""] = process.argv.slice(2);
const found = task === "clean" ? cleanUnattended(database, root) : lookUnattended(database);
process.stdout.write(`${JSON.stringify(found)}\n`);
