import { readdir, readlink } from "node:fs/promises";
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

async function readSockets(): Promise<Sockets> {
  const table = await readTcpTables();
  const holders = new Map<string, number[]>();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  await Promise.all(
    pids.map(async (pid) => {
      for (const inode of await listSockets(pid)) holders.set(inode, [...(holders.get(inode) ?? []), pid]);
    }),
  );
  return { table, holders };
}

async function listSockets(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  // The process has ended or belongs to another user.
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => "")));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
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
