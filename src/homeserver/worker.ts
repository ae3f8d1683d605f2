import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../shared/clock.ts";
import { toAppError } from "../shared/errors.ts";
import type { Log, LogFields, LogLevel } from "../shared/log.ts";
import { type HomeserverControl, makeControl } from "./control.ts";
import { type HomeserverOptions, openHomeserver } from "./server.ts";

/** What the thread is started with: everything that can be told in a message. */
export type WorkerOptions = Omit<HomeserverOptions, "clock" | "log" | "migrations">;

export interface ControlRequest {
  id: number;
  /** `ping` is answered at once: it shows that the thread is not stuck. */
  name: keyof HomeserverControl | "ping" | "stop";
  input: unknown;
}

export type WorkerMessage =
  | { kind: "ready"; port: number }
  | { kind: "answer"; id: number; output: unknown }
  | { kind: "failure"; id: number; code: string; message: string }
  | { kind: "log"; level: LogLevel; message: string; fields: LogFields };

/** The homeserver in a thread of its own. Its log and its control go through the channel to whoever started it. */
export async function serveHomeserver(migrations: URL): Promise<void> {
  const options = workerData as WorkerOptions;
  const homeserver = await openHomeserver({ ...options, migrations, clock: systemClock, log: remoteLog });
  const control = makeControl(homeserver);
  parentPort?.on("message", (request: ControlRequest) => void answer(request));
  tell({ kind: "ready", port: homeserver.port });

  async function answer({ id, name, input }: ControlRequest): Promise<void> {
    try {
      if (name === "stop") {
        await homeserver.close();
        tell({ kind: "answer", id, output: undefined });
        parentPort?.close();
        return;
      }
      const output = name === "ping" ? undefined : await control[name](input as never);
      tell({ kind: "answer", id, output });
    } catch (error) {
      const { code, message } = toAppError(error);
      tell({ kind: "failure", id, code, message });
    }
  }
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

const write =
  (level: LogLevel) =>
  (message: string, fields: LogFields = {}): void =>
    tell({ kind: "log", level, message, fields });

const remoteLog: Log = {
  debug: write("debug"),
  info: write("info"),
  warn: write("warn"),
  error: write("error"),
  // The file is the daemon's: it is scrubbed there.
  scrub: () => 0,
  close() {},
};
