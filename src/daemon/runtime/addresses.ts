import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { DaemonFile } from "../../protocol/api.ts";

/** The ports of this daemon, and the file by which clients find them. */
export interface Addresses {
  /** 0 until the listener is up. */
  port(): number;
  url(): string;
  setPort(port: number): void;
  setMatrixPort(port: number): void;
  remove(): void;
}

type About = Pick<DaemonFile, "pid" | "version" | "build" | "builtAt" | "startedAt" | "socket">;

export function openAddresses(path: string, about: About): Addresses {
  let file: DaemonFile = { ...about, port: 0 };

  /** Replaces the file by a rename, because clients may read it at any time. */
  function write(changed: Partial<DaemonFile>): void {
    file = { ...file, ...changed };
    writeFileSync(`${path}.next`, `${JSON.stringify(file)}\n`, { mode: 0o600 });
    renameSync(`${path}.next`, path);
  }

  return {
    port: () => file.port,
    url: () => `http://127.0.0.1:${file.port}/`,
    setPort: (port) => write({ port }),
    setMatrixPort: (matrixPort) => write({ matrixPort }),
    remove: () => rmSync(path, { force: true }),
  };
}
