import { readEnvironment } from "../config/environment.ts";
import { dirname, join } from "node:path";
import { runHook } from "../hook-leaf/hook-leaf.ts";

/** `node hook-leaf.js EVENT < payload`: hook.sh for machines without bash. Silent, and exit 0 whatever happens. */
const leave = (): never => process.exit(0);
process.on("uncaughtException", leave);
process.stdout.on("error", leave);

// The launcher is a shell script: where there is no shell, node runs what it would run.
const here = dirname(process.argv[1] ?? "");
const reply = await runHook({
  event: process.argv[2] ?? "",
  environment: readEnvironment(),
  stdin: process.stdin,
  launcher:
    process.platform === "win32"
      ? [process.execPath, join(here, "cli.js")]
      : [join(here, "..", "bin", "rookery")],
}).catch(() => "");
process.stdout.write(reply, leave);
