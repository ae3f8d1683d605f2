import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { parseSpoolName } from "../../src/protocol/spool-name.ts";

/** One connection to the bell and the data received over it. */
export interface Call {
  socket: Socket;
  text: string;
  at: number;
  isClosed: boolean;
}

export interface FakeBell {
  port: number;
  calls: Call[];
  /** Writes the port where hooks read it. */
  announce(): void;
  close(): Promise<void>;
}

export interface Peer {
  onConnect?(call: Call): void;
  /** The first complete line, without the newline. */
  onLine?(name: string, call: Call): void;
}

export async function openFakeBell(home: string, peer: Peer = {}): Promise<FakeBell> {
  const calls: Call[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    const call: Call = { socket, text: "", at: performance.now(), isClosed: false };
    calls.push(call);
    let isHeard = false;
    socket.on("error", () => {}); // Many tests close the connection on purpose.
    socket.on("close", () => {
      call.isClosed = true;
    });
    socket.on("data", (chunk) => {
      call.text += chunk.toString("latin1");
      if (isHeard || !call.text.includes("\n")) return;
      isHeard = true;
      peer.onLine?.(call.text.slice(0, call.text.indexOf("\n")), call);
    });
    peer.onConnect?.(call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake bell has no port");
  const { port } = address;
  return {
    port,
    calls,
    announce() {
      mkdirSync(join(home, "run"), { recursive: true });
      writeFileSync(join(home, "run", "bell"), `${port}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { socket } of calls) socket.destroy();
      }),
  };
}

interface Answer {
  reply?: string;
  exports?: string;
  /** The length to send over the socket instead of the real one. */
  announced?: number;
  withoutFile?: boolean;
}

/** Acts like the daemon: takes the file, writes the reply, answers, and removes the reply afterwards. */
export function answerLikeDaemon(home: string, answer: Answer = {}): Peer & { taken: Buffer[] } {
  const taken: Buffer[] = [];
  return {
    taken,
    onLine(name, { socket }) {
      const id = parseSpoolName(name)?.id ?? "not an id";
      const spooled = join(home, "spool", name);
      taken.push(readFileSync(spooled));
      rmSync(spooled);
      const files = [join(home, "reply", id), join(home, "reply", `${id}.env`)] as const;
      const { reply = "", exports = "" } = answer;
      if (reply && !answer.withoutFile) writeFileSync(files[0], reply);
      if (exports) writeFileSync(files[1], exports);
      socket.on("close", () => files.forEach((file) => rmSync(file, { force: true })));
      socket.end(`${answer.announced ?? Buffer.byteLength(reply)}\n`);
    },
  };
}

/** Closes, then resets the connection, and creates the gate file when that has arrived: a later write gets SIGPIPE. */
export function resetBehindGate(gate: string): Peer {
  return {
    onConnect({ socket }) {
      socket.on("close", () => writeFileSync(gate, ""));
      socket.end(() => socket.resetAndDestroy());
    },
  };
}

/** For BASH_ENV: delays the printf whose arguments match the pattern until the gate file exists. */
export function holdPrintf(pattern: string, gate: string): string {
  return `printf() {
    case "$*" in ${pattern}) until [ -e '${gate}' ]; do :; done ;; esac
    builtin printf "$@"
  }
  `;
}
