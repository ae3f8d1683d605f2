import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Address, Peer } from "../../http/peer.ts";
import { findConnection, isOtherEnd, readTcpTables } from "../../http/tcp-table.ts";
import { runProgram } from "../../shared/process-table.ts";

type TcpPeer = NonNullable<Peer>;

/** The ids of all processes that hold the other end of a connection. */
export type PeerLookup = (peer: TcpPeer) => Promise<number[]>;

export function openPeerLookup(platform: NodeJS.Platform = process.platform): PeerLookup {
  if (platform !== "linux")
    return async (peer) => readLsof(await runProgram("lsof", lsofArguments(peer)), peer);
  const readShared = shareConcurrentRuns(readSockets);
  return async (peer) => {
    const { table, holders } = await readShared();
    return holders.get(findConnection(table, peer)?.inode ?? "") ?? [];
  };
}

interface Sockets {
  /** The kernel's connection tables. */
  table: string;
  /** Process ids by the inode of a socket they hold. */
  holders: Map<string, number[]>;
}

/** Reading every process is slow, so calls that arrive during a run share the next one. */
function shareConcurrentRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const started = run();
      running = started.catch(() => undefined);
      return started;
    });
    return next;
  };
}

/** Less than the 5 ms that anything may occupy the main thread. */
const sliceMs = 2;

async function readSockets(): Promise<Sockets> {
  const table = await readTcpTables();
  const holders = new Map<string, number[]>();
  // Synchronous calls take a third of the time; each slice is shorter than a transaction.
  let sliceUntil = performance.now() + sliceMs;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    for (const inode of listSockets(name)) holders.set(inode, [...(holders.get(inode) ?? []), Number(name)]);
    if (performance.now() < sliceUntil) continue;
    await setImmediate();
    sliceUntil = performance.now() + sliceMs;
  }
  return { table, holders };
}

function listSockets(pid: string): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  for (const file of listFiles(folder)) {
    const inode = /^socket:\[(\d+)\]$/.exec(readLink(`${folder}/${file}`))?.[1];
    if (inode) inodes.add(inode);
  }
  return inodes;
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The process has ended or belongs to another user.
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // It was closed meanwhile.
  }
}

function lsofArguments({ remotePort }: TcpPeer): string[] {
  return ["-nP", `-iTCP:${remotePort}`, "-sTCP:ESTABLISHED", "-Fpn"];
}

/** Lines that start with `p` have a process id, those with `n` one of its connections, local end first. */
export function readLsof(output: string, peer: TcpPeer): number[] {
  const pids = new Set<number>();
  let pid = 0;
  for (const line of output.split("\n")) {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1));
    const [, local = "", remote = ""] = /^n(\S+)->(\S+)$/.exec(line) ?? [];
    if (isOtherEnd(peer, readTextAddress(local), readTextAddress(remote))) pids.add(pid);
  }
  return [...pids];
}

/** `127.0.0.1:46313` or `[::1]:46313`. */
function readTextAddress(text: string): Address | undefined {
  const match = /^\[?([0-9A-Fa-f.:]+?)\]?:(\d+)$/.exec(text);
  return match ? { address: match[1] ?? "", port: Number(match[2]) } : undefined;
}
