import { readdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { parsePid, parseSpoolName, type SpoolName } from "../../protocol/spool-name.ts";
import { fileSize } from "../../shared/regular-file.ts";

export interface SpoolFile {
  hostPid: number | undefined;
  /** The payload without the header. */
  raw: Uint8Array;
  occurredAt: number;
}

export interface WaitingFile {
  name: SpoolName;
  modifiedAt: number;
}

/** The folder of raw events that hooks write: a header line with claude's pid, then the unchanged payload. */
export interface Spool {
  /** Undefined if it has been stored and deleted. */
  read(name: SpoolName): SpoolFile | undefined;
  remove(name: SpoolName): void;
  /** Moves a file that is not an event aside, and keeps only the newest few of them. */
  reject(fileName: string): void;
  /** All waiting files, oldest first. */
  list(): WaitingFile[];
  measure(): { files: number; bytes: number };
  rejectedCount(): number;
  /** Whether a hook might be unable to write its event. */
  isDiskFull(): boolean;
}

const keepRejected = 20;
/** More than any usual payload. */
const minFreeBytes = 2_000_000;

export function openSpool(folder: string, rejectedFolder: string): Spool {
  const path = (name: SpoolName): string => join(folder, name.name);

  return {
    read(name) {
      try {
        const content = readFileSync(path(name));
        return splitHeader(content, Math.round(name.startedAtMs ?? statSync(path(name)).mtimeMs));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    remove(name) {
      try {
        unlinkSync(path(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    },
    reject(fileName) {
      renameSync(join(folder, fileName), join(rejectedFolder, fileName));
      const oldest = readdirSync(rejectedFolder).toSorted(byTimeInName).slice(0, -keepRejected);
      for (const name of oldest) rmSync(join(rejectedFolder, name), { force: true });
    },
    list() {
      return readdirSync(folder)
        .flatMap((file) => parseSpoolName(file) ?? [])
        .flatMap((name) => {
          const modifiedAt = statSync(path(name), { throwIfNoEntry: false })?.mtimeMs;
          return modifiedAt === undefined ? [] : [{ name, modifiedAt }];
        })
        .toSorted((a, b) => (a.name.startedAtMs ?? a.modifiedAt) - (b.name.startedAtMs ?? b.modifiedAt));
    },
    measure() {
      const files = readdirSync(folder);
      const sizes = files.map((file) => fileSize(join(folder, file)));
      return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    },
    rejectedCount: () => readdirSync(rejectedFolder).length,
    isDiskFull() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize < minFreeBytes;
    },
  };
}

function byTimeInName(a: string, b: string): number {
  return (parseSpoolName(a)?.startedAtMs ?? 0) - (parseSpoolName(b)?.startedAtMs ?? 0);
}

function splitHeader(content: Uint8Array, occurredAt: number): SpoolFile {
  const newline = content.indexOf(10);
  const header = newline < 0 ? "" : new TextDecoder().decode(content.subarray(0, newline)).trim();
  return { hostPid: parsePid(header), raw: content.subarray(newline + 1), occurredAt };
}
