import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { parseSpoolName, type SpoolName } from "../../protocol/spool-name.ts";
import type { Log } from "../../shared/log.ts";
import { listenOnFirstFree } from "../../shared/listen.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { HookReply } from "./hook-reply.ts";
import type { Intake } from "./intake.ts";
import type { HookCounter } from "../runtime/hook-counter.ts";
import type { Metrics } from "../runtime/metrics.ts";

export interface BellDeps {
  intake: Intake;
  /** Components that take over long-lived connections. */
  monitors: { attach(name: SpoolName, socket: Socket): void };
  asking: { attach(name: SpoolName, socket: Socket): void };
  hookCounter: HookCounter;
  metrics: Metrics;
  log: Log;
  replyFolder: string;
  bellFile: string;
}

export interface Bell {
  start(): Promise<number>;
  stop(): Promise<void>;
}

const maxNameLength = 120;
const silentMs = 5_000;
/** Timeout of a connection once its name was received; hooks give up long before. */
const answeredMs = 60_000;

/**
 * A hook connects, sends the name of its spool file, and gets one line:
 * - the length of the reply in `reply/<id>`, 0 for none;
 * - `wait`: the hook connects again and sleeps until there is a reply;
 * - `full`: nothing can be stored.
 * A connection without a file in our private folder gets nothing.
 */
export function openBell(deps: BellDeps): Bell {
  const { intake, metrics, log } = deps;
  const sockets = new Set<Socket>();
  const answering = new Set<Promise<void>>();
  let server: Server;

  function accept(socket: Socket): void {
    sockets.add(socket);
    let isUnnamed = true;
    deps.hookCounter.addUnnamed(1);
    const stopExpecting = (): void => {
      if (isUnnamed) deps.hookCounter.addUnnamed(-1);
      isUnnamed = false;
    };
    let text = "";
    const written: string[] = [];
    socket.setNoDelay(true);
    socket.setTimeout(silentMs, () => socket.destroy());
    socket.on("error", () => socket.destroy()); // The hook gave up; its event is stored anyway.
    socket.on("close", () => {
      sockets.delete(socket);
      stopExpecting();
      for (const file of written) rmSync(file, { force: true });
    });
    socket.on("data", function read(chunk: Buffer) {
      text += chunk.toString("latin1");
      const end = text.indexOf("\n");
      if (end < 0 && text.length <= maxNameLength) return;
      socket.off("data", read);
      stopExpecting();
      socket.resume();
      const name = end < 0 ? undefined : parseSpoolName(text.slice(0, end));
      if (!name) return void socket.destroy();
      const isQuestion = name.event === "PermissionWait" && !intake.isTrial(name.id);
      socket.setTimeout(name.event === "Monitor" || isQuestion ? 0 : answeredMs);
      if (name.event === "Monitor") return deps.monitors.attach(name, socket);
      if (isQuestion) return deps.asking.attach(name, socket);
      deps.hookCounter.add(1);
      const answered = answer(name, socket, written).finally(() => {
        deps.hookCounter.add(-1);
        answering.delete(answered);
      });
      answering.add(answered);
    });
  }

  async function answer(name: SpoolName, socket: Socket, written: string[]): Promise<void> {
    try {
      const reply = await intake.ring(name, () => !socket.destroyed);
      const length = writeReply(name, reply, written, socket);
      socket.end(reply.mustWait ? "wait\n" : reply.isStoreFull ? "full\n" : `${length}\n`);
    } catch (error) {
      log.error("bell not answered", { id: name.id, event: name.event, error });
      socket.end("0\n");
    }
    if (name.startedAtMs)
      metrics.recordHookTime(
        hostFor(name.host).events.read(name.event) ?? name.event,
        Date.now() - name.startedAtMs,
      );
  }

  /** Records the written files: they are deleted when the hook disconnects, which is after it has read them. */
  function writeReply(
    { id }: SpoolName,
    { stdout, exports }: HookReply,
    written: string[],
    socket: Socket,
  ): number {
    const write = (file: string, text: string): void => {
      if (!text || socket.destroyed) return; // The hook has disconnected: the file would never be read or deleted.
      written.push(join(deps.replyFolder, file));
      writeFileSync(join(deps.replyFolder, file), text, { mode: 0o600 });
    };
    write(`${id}.env`, exports);
    write(id, stdout);
    return Buffer.byteLength(stdout);
  }

  return {
    async start() {
      server = createServer(accept);
      const port = await listenOnFirstFree(server, "127.0.0.1", [0]);
      writeFileSync(deps.bellFile, `${port}\n`, { mode: 0o600 });
      return port;
    },
    async stop() {
      await Promise.all(answering);
      await new Promise<void>((resolve) => {
        const { port } = server.address() as { port: number };
        // Only our own file: a successor may already have written its port.
        if (existsSync(deps.bellFile) && readFileSync(deps.bellFile, "utf8").trim() === String(port))
          rmSync(deps.bellFile, { force: true });
        server.close(() => resolve());
        for (const socket of sockets) socket.destroySoon();
      });
    },
  };
}
