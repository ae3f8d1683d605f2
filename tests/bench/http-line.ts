import { connect, type Socket } from "node:net";

/** One keep-alive connection that sends a request and waits. It costs a tenth of a real HTTP client, so that mostly the server is measured. */
export interface Line {
  call(method: string, path: string, body?: unknown, token?: string): Promise<any>;
  close(): void;
}

const base = "/_matrix/client/v3/";

export async function openLine(port: number): Promise<Line> {
  const socket = await open(port);
  let waiting: { resolve(answer: unknown): void; reject(error: Error): void } | undefined;
  let received = "";

  function settle(): void {
    const end = received.indexOf("\r\n\r\n");
    if (end < 0 || !waiting) return;
    const head = received.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = received.slice(end + 4);
    if (body.length < length) return; // latin1: a character is a byte.
    received = body.slice(length);
    const { resolve, reject } = waiting;
    waiting = undefined;
    const text = Buffer.from(body.slice(0, length), "latin1").toString("utf8");
    if (head.startsWith("HTTP/1.1 200")) resolve(JSON.parse(text));
    else reject(new Error(`${head.split("\r\n")[0]} ${text}`));
  }

  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    settle();
  });
  socket.on("close", () => waiting?.reject(new Error("the server hung up")));

  return {
    call(method, path, body, token) {
      const text = body === undefined ? "" : JSON.stringify(body);
      const auth = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
      const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`;
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(`${method} ${base}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${auth}${length}\r\n${text}`);
      });
    },
    close: () => socket.destroy(),
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.setNoDelay(true).on("error", reject);
  });
}
