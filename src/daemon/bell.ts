import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { parseSpoolName, type SpoolName } from "../protocol/spool-name.ts";
import { hostFor } from "../hosts/hosts.ts";
import { listenOnFirst } from "../shared/listen.ts";
import type { Log } from "../shared/log.ts";
import type { HookReply } from "./hook-reply.ts";
import type { HookQuestions } from "./ask/hook-questions.ts";
import type { Intake } from "./intake.ts";
import type { Metrics } from "./metrics.ts";
import type { WakeBoard } from "./wake-board.ts";

export interface BellDeps {
  intake: Intake;
  wakeBoard: WakeBoard;
  asking: Pick<HookQuestions, "attach">;
  metrics: Metrics;
  log: Log;
  replyFolder: string;
  bellFile: string;
}

export interface Bell {
  /** Hooks that wait for an answer now. */
  ringing(): number;
  start(): Promise<number>;
  stop(): Promise<void>;
}

const longestName = 120;
const silentMs = 5_000;
/** Far beyond any hook's patience: whoever still holds on by then is not a hook. */
const answeredMs = 60_000;

/**
 * A hook connects, sends the name of its spool file, and gets one line: the length of the reply that now
 * stands in `reply/<id>`, 0 for none, or `wait`: then it rings again, and sleeps until there is a reply. Knowing the port is worth nothing without a file in our private folder.
 */
export function openBell(deps: BellDeps): Bell {
  const { intake, metrics, log } = deps;
  const sockets = new Set<Socket>();
  const answering = new Set<Promise<void>>();
  let server: Server;

  function accept(socket: Socket): void {
    sockets.add(socket);
    let text = "";
    const written: string[] = [];
    socket.setNoDelay(true);
    socket.setTimeout(silentMs, () => socket.destroy());
    socket.on("error", () => socket.destroy()); // The hook gave up: its event is stored all the same.
    socket.on("close", () => {
      sockets.delete(socket);
      for (const file of written) rmSync(file, { force: true });
    });
    socket.on("data", function read(chunk: Buffer) {
      text += chunk.toString("latin1");
      const end = text.indexOf("\n");
      if (end < 0 && text.length <= longestName) return;
      socket.off("data", read);
      socket.resume();
      const name = end < 0 ? undefined : parseSpoolName(text.slice(0, end));
      if (!name) return void socket.destroy();
      const isQuestion = name.event === "PermissionWait" && !intake.isTrial(name.id);
      socket.setTimeout(name.event === "Monitor" || isQuestion ? 0 : answeredMs);
      if (name.event === "Monitor") return deps.wakeBoard.register(name, socket);
      if (isQuestion) return deps.asking.attach(name, socket);
      const answered = answer(name, socket, written).finally(() => answering.delete(answered));
      answering.add(answered);
    });
  }

  async function answer(name: SpoolName, socket: Socket, written: string[]): Promise<void> {
    try {
      const reply = await intake.ring(name, () => !socket.destroyed);
      const length = writeReply(name, reply, written, socket);
      socket.end(reply.isHeld ? "wait\n" : `${length}\n`);
    } catch (error) {
      log.error("bell not answered", { id: name.id, event: name.event, error });
      socket.end("0\n");
    }
    if (name.startedAtMs)
      metrics.timeHook(
        hostFor(name.host).events.read(name.event) ?? name.event,
        Date.now() - name.startedAtMs,
      );
  }

  /** Notes what it wrote: the files go when the hook has hung up, which is after it has read them. */
  function writeReply(
    { id }: SpoolName,
    { stdout, exports }: HookReply,
    written: string[],
    socket: Socket,
  ): number {
    const write = (file: string, text: string): void => {
      if (!text || socket.destroyed) return; // It has hung up: nobody would read it, and nobody clear it away.
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
      const port = await listenOnFirst(server, "127.0.0.1", [0]);
      writeFileSync(deps.bellFile, `${port}\n`, { mode: 0o600 });
      return port;
    },
    ringing: () => answering.size,
    async stop() {
      await Promise.all(answering);
      await new Promise<void>((resolve) => {
        const { port } = server.address() as { port: number };
        // Only our own: a successor may have hung up its bell already.
        if (existsSync(deps.bellFile) && readFileSync(deps.bellFile, "utf8").trim() === String(port))
          rmSync(deps.bellFile, { force: true });
        server.close(() => resolve());
        for (const socket of sockets) socket.destroySoon();
      });
    },
  };
}
