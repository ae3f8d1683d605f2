import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Home } from "../../src/config/home.ts";
import { waitFor } from "./processes.ts";
import type { Answer } from "./exchange.ts";
import type { Ran } from "./rookery.ts";

/**
 * A process of the person, with a terminal of its own. It is reparented away from the test runner, because the runner may itself run under an agent,
 * and some tests use its pid as the claude of their session.
 */
export interface Outside {
  /** A request over TCP with the token and the secret of a tab, as the viewer makes it. */
  call(
    rookery: { home: Pick<Home, "daemonFile" | "token"> },
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer>;
  /** Runs a command and waits for its exit. */
  run(command: string[], env: Record<string, string>, input?: string): Promise<Ran>;
  close(): Promise<void>;
}

const relay = fileURLToPath(new URL("outside-relay.mjs", import.meta.url));

export async function openOutside(): Promise<Outside> {
  const folder = mkdtempSync(join(tmpdir(), "rk-out-"));
  const socketPath = join(folder, "relay");
  const env = { PATH: "/usr/bin:/bin" };
  // `script` gives it a terminal, which decisions on the command line need.
  const command = `exec '${process.execPath}' '${relay}' '${socketPath}'`;
  spawn("setsid", ["--fork", "script", "-qec", command, "/dev/null"], { env, stdio: "ignore" });
  // The file exists before the relay listens on it.
  await waitFor(() => isListening(socketPath), { describe: "the relay" });

  function post<T>(path: string, body: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ socketPath, method: "POST", path, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(JSON.parse(text) as T));
      });
      outgoing.on("error", reject).end(JSON.stringify(body));
    });
  }

  return {
    async call(rookery, method, path, body) {
      const { port } = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));
      const token = readFileSync(rookery.home.token, "utf8").trim();
      const answer = await post<Omit<Answer, "json">>("/call", { port, token, method, path, body });
      return { ...answer, json: parseJson(answer.text) };
    },
    run: (command, env, input) => post("/run", { command, env, input }),
    async close() {
      await post("/end", {}).catch(() => undefined);
      await waitFor(() => !existsSync(socketPath), { describe: "the relay to end" });
      rmSync(folder, { recursive: true });
    },
  };
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the test reads the text.
  }
}
