import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../shared/clock.ts";
import { toAppError } from "../shared/errors.ts";
import type { Log, LogFields, LogLevel } from "../shared/log.ts";
import { type HomeserverControl, makeControl } from "./control.ts";
import { type HomeserverOptions, openHomeserver } from "./server.ts";

/** The options passed to the worker thread: those that can be cloned into a message. */
export type WorkerOptions = Omit<HomeserverOptions, "clock" | "log" | "migrations">;

export interface ControlRequest {
  id: number;
  /** `ping` is answered immediately and shows that the thread is responsive. */
  name: keyof HomeserverControl | "ping" | "stop";
  input: unknown;
}

export type WorkerMessage =
  | { kind: "ready"; port: number }
  | { kind: "answer"; id: number; output: unknown }
  | { kind: "failure"; id: number; code: string; message: string }
  | { kind: "log"; level: LogLevel; message: string; fields: LogFields };

/** Runs the homeserver in this worker thread. Log entries and control calls travel over the message port. */
export async function serveHomeserver(migrations: URL): Promise<void> {
  const options = workerData as WorkerOptions;
  const homeserver = await openHomeserver({ ...options, migrations, clock: systemClock, log: remoteLog });
  const control = makeControl(homeserver);
  parentPort?.on("message", (request: ControlRequest) => void answer(request));
  post({ kind: "ready", port: homeserver.port });

  async function answer({ id, name, input }: ControlRequest): Promise<void> {
    try {
      if (name === "stop") {
        await homeserver.close();
        post({ kind: "answer", id, output: undefined });
        parentPort?.close();
        return;
      }
      const output = name === "ping" ? undefined : await control[name](input as never);
      post({ kind: "answer", id, output });
    } catch (error) {
      const { code, message } = toAppError(error);
      post({ kind: "failure", id, code, message });
    }
  }
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

const write =
  (level: LogLevel) =>
  (message: string, fields: LogFields = {}): void =>
    post({ kind: "log", level, message, fields });

const remoteLog: Log = {
  debug: write("debug"),
  info: write("info"),
  warn: write("warn"),
  error: write("error"),
  // The daemon owns the log file and scrubs it.
  scrub: () => 0,
  close() {},
};
