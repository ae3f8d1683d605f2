import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Timed {
  ms: number;
  /** The output of the command, both streams. */
  output: string;
}

export interface Stopwatch {
  /** Names a command, so that it can be timed. */
  know(key: string, command: readonly string[]): void;
  /** Wall time of one run, from fork to wait. A command with an exit code other than 0 fails the bench. */
  time(key: string, payload?: string): Promise<Timed>;
  /** User and system time of one run and its children, in ms: the mean over the payloads. */
  cpu(key: string, payloads: readonly string[]): Promise<number>;
  close(): void;
}

const script = fileURLToPath(new URL("./stopwatch.sh", import.meta.url));

/** One long-lived shell that only runs commands in the given environment. */
export function openStopwatch(folder: string, env: Record<string, string>): Stopwatch {
  const child = spawn("bash", [script, folder], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ask = makeAsker(child);

  function writePayload(name: string, payload: string): string {
    const path = join(folder, name);
    writeFileSync(path, payload);
    return path;
  }

  return {
    know: (key, command) =>
      writeFileSync(join(folder, `${key}.command`), command.map((w) => `${w}\n`).join("")),
    async time(key, payload = "") {
      const path = writePayload("payload", payload);
      const [micros, code] = await ask(`time ${key} ${Buffer.byteLength(payload)} ${path}`);
      const output = readFileSync(join(folder, "out"), "utf8");
      if (code !== "0") throw new Error(`${key} ended with ${code}: ${output}`);
      return { ms: Number(micros) / 1000, output };
    },
    async cpu(key, payloads) {
      const paths = payloads.map((payload, index) => writePayload(`payload-${index}`, payload));
      const [userBefore, systemBefore, userAfter, systemAfter] = (
        await ask(`cpu ${key} 0 ${paths.join(" ")}`)
      ).map(parseTimes) as [number, number, number, number];
      return (userAfter + systemAfter - userBefore - systemBefore) / payloads.length;
    },
    close: () => child.stdin.end(),
  };
}

/** Sends one request and reads one line. */
function makeAsker(child: ChildProcess): (line: string) => Promise<string[]> {
  if (!child.stdin || !child.stdout) throw new Error("the stopwatch has no pipes");
  const { stdin } = child;
  let waiting: { resolve(words: string[]): void; reject(error: Error): void } | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => waiting?.resolve(line.split(" ")));
  child.on("exit", (code) => waiting?.reject(new Error(`the stopwatch ended with ${code}`)));
  stdin.on("error", () => {}); // The shell has ended; the exit event reports it.
  return (line) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      stdin.write(`${line}\n`);
    });
}

/** Parses times as bash prints them (`1m2.345s`) into ms. */
function parseTimes(text: string): number {
  const match = /^(\d+)m([\d.]+)s$/.exec(text);
  if (!match) throw new Error(`not a time: ${text}`);
  return Number(match[1]) * 60_000 + Number(match[2]) * 1000;
}
