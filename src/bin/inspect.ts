import { inspectHome } from "../daemon/care/inspect.ts";
import { checkIntegrity } from "../store/store-facts.ts";

/**
 * `node inspect.js look DATABASE CLAUDE_FOLDER` and `node inspect.js check DATABASE`: print one JSON value for `rookery
 * doctor`.
 */
const [task, database = "", claudeFolder = ""] = process.argv.slice(2);
const found =
  task === "check" ? checkIntegrity(database) : await inspectHome(database, claudeFolder, Date.now());
process.stdout.write(`${JSON.stringify(found)}\n`);
