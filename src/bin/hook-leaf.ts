import { readEnvironment } from "../config/environment.ts";
import { dirname, join } from "node:path";
import { runHook } from "../hook-leaf/hook-leaf.ts";

/** `node hook-leaf.js EVENT < payload`: replaces hook.sh on machines without bash. Silent, and always exits with 0. */
const exitSilently = (): never => process.exit(0);
process.on("uncaughtException", exitSilently);
process.stdout.on("error", exitSilently);

// The launcher is a shell script; on Windows, run its target directly.
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
process.stdout.write(reply, exitSilently);
