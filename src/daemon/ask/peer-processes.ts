import { readdir, readFile, readlink } from "node:fs/promises";
import { type Address, isSameAddress } from "../../http/peer.ts";
import { runProgram } from "../../shared/process-table.ts";
import type { Peer } from "../../http/peer.ts";

type TcpPeer = NonNullable<Peer>;

/** The ids of all processes that hold the other end of a connection. */
export type PeerLookup = (peer: TcpPeer) => Promise<number[]>;

export function openPeerLookup(platform: NodeJS.Platform = process.platform): PeerLookup {
  if (platform !== "linux")
    return async (peer) => readLsof(await runProgram("lsof", lsofArguments(peer)), peer);
  const readShared = shareConcurrentRuns(readSockets);
  return async (peer) => {
    const { table, holders } = await readShared();
    return holders.get(findInode(table, peer) ?? "") ?? [];
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
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((table) => readFile(`/proc/net/${table}`, "utf8").catch(() => "")),
  );
  const holders = new Map<string, number[]>();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  await Promise.all(
    pids.map(async (pid) => {
      for (const inode of await listSockets(pid)) holders.set(inode, [...(holders.get(inode) ?? []), pid]);
    }),
  );
  return { table: tables.join("\n"), holders };
}

async function listSockets(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  // The process has ended or belongs to another user.
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => "")));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** The inode of the other end: its local address is the peer's remote address, and the reverse. */
export function findInode(table: string, peer: TcpPeer): string | undefined {
  for (const line of table.split("\n")) {
    const [, local = "", remote = "", , , , , , , inode] = line.trim().split(/\s+/);
    if (isOtherEnd(peer, readHexAddress(local), readHexAddress(remote)) && inode !== "0") return inode;
  }
  return undefined;
}

function isOtherEnd(peer: TcpPeer, local: Address | undefined, remote: Address | undefined): boolean {
  if (!local || !remote) return false;
  return (
    isSameAddress(local, { address: peer.remoteAddress, port: peer.remotePort }) &&
    isSameAddress(remote, { address: peer.localAddress, port: peer.localPort })
  );
}

/** `0100007F:9391`: groups of four bytes, each in reverse order. Undefined for anything but IPv4 and ::1. */
function readHexAddress(text: string): Address | undefined {
  const match = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text);
  if (!match) return undefined;
  const [, hex = "", port = ""] = match;
  const bytes = [...hex.matchAll(/.{8}/g)].flatMap(([group]) => [...Buffer.from(group, "hex")].toReversed());
  const ipv4 = bytes.slice(-4).join(".");
  const prefix = bytes.slice(0, -4).join(".");
  const isIpv4 = prefix === "" || prefix === mappedPrefix;
  if (!isIpv4 && bytes.join(".") !== ipv6Loopback) return undefined;
  return { address: isIpv4 ? ipv4 : "::1", port: Number.parseInt(port, 16) };
}

const mappedPrefix = "0.0.0.0.0.0.0.0.0.0.255.255";
const ipv6Loopback = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1";

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
