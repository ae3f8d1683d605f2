import { readEnvironment } from "../config/environment.ts";
import { locateHome } from "../config/home.ts";
import { startDaemon } from "../daemon/main.ts";
import { AppError, type ErrorCode, toAppError } from "../shared/errors.ts";

/** `client/start.ts` reads these. */
const exitCodes: Partial<Record<ErrorCode, number>> = { daemon_running: 5, store_full: 6 };

const environment = readEnvironment();
try {
  const daemon = await startDaemon(locateHome(environment), environment);
  const stopWithin5s = (reason: string, exitCode: number, error?: unknown): void => {
    setTimeout(() => process.exit(exitCode), 5_000).unref();
    void daemon.stop(reason, error).finally(() => process.exit(exitCode));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => stopWithin5s(signal, 0));
  process.on("uncaughtException", (error) => {
    console.error(error);
    // Work left over from before a restart: after damage to the database the daemon restarts within this process.
    if (error instanceof AppError && error.code === "store_closed") return;
    stopWithin5s("uncaught exception", 70, error);
  });
  await daemon.ended;
  process.exit(0);
} catch (thrown) {
  const error = toAppError(thrown);
  // Goes to logs/boot.log, where the process that started the daemon reads it.
  console.error(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
  if (error.kind === "bug") console.error(thrown);
  // On a full disk boot.log cannot be written; the exit code is the only signal.
  process.exit(exitCodes[error.code] ?? 70);
}
