import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import type { Peer } from "../../http/peer.ts";
import type { Store } from "../../store/open-store.ts";
import { isSameProcess } from "../../shared/processes.ts";
import { readVariable } from "./terminals.ts";

export type CallerVerdict = { may: true } | { may: false; why: string };

/**
 * The agent must not approve itself. Whoever decides or pairs through the API must be a process that does not descend
 * from Claude Code. What cannot be told is refused. This holds against an agent that uses what it is given; another
 * program of the same user can always pretend to be that user (docs/reaching-you.md).
 */
export interface CallerCheck {
  /** Looks through the process table: only for requests that decide. */
  mayDecide(peer: Peer): Promise<CallerVerdict>;
  /** The claude of a known session that the process at the other end runs under, if it runs under one. */
  claudeBehind(peer: Peer): Promise<number | undefined>;
}

interface ProcessFacts {
  parent: number;
  name: string;
}
type MaybeFacts = ProcessFacts | undefined;

const mostAncestors = 64;

export function makeCallerCheck(store: Store, platform: NodeJS.Platform = process.platform): CallerCheck {
  const isLinux = platform === "linux";
  const lookAtSockets = shareLooks(readSockets);

  function listClaudes(): Set<number | null> {
    return new Set(
      store.sessions
        .active()
        .filter(({ claudePid, pidStarted }) => claudePid !== null && isSameProcess(claudePid, pidStarted))
        .map(({ claudePid }) => claudePid),
    );
  }

  async function openProcessTable(): Promise<(pid: number) => MaybeFacts | Promise<MaybeFacts>> {
    return isLinux ? readProcess : makePsReader(await run("ps", ["-axo", "pid=,ppid=,comm="]));
  }

  async function listPids(peer: NonNullable<Peer>): Promise<number[]> {
    return isLinux
      ? findHolders(await lookAtSockets(), peer)
      : readLsof(await run("lsof", lsofArguments(peer)), peer);
  }

  async function findBlame(pid: number): Promise<string | undefined> {
    const claudes = listClaudes();
    const look = await openProcessTable();
    // A child that left its parents still carries what it was born with.
    if (isLinux && readVariable(pid, "CLAUDECODE") !== undefined)
      return `process ${pid} was started by Claude Code`;
    let at = pid;
    for (let hops = 0; at > 1 && hops < mostAncestors; hops++) {
      const facts = await look(at);
      if (!facts) return `process ${at} cannot be looked at`;
      if (claudes.has(at) || facts.name === "claude")
        return `process ${pid} runs under Claude Code (process ${at})`;
      at = facts.parent;
    }
    return at > 1 ? `process ${pid} has too many ancestors` : undefined;
  }

  return {
    async mayDecide(peer) {
      if (!peer) return { may: false, why: "over this socket it cannot be told who asks" };
      try {
        const pids = await listPids(peer);
        if (pids.length === 0) return { may: false, why: "it cannot be told which process asks" };
        for (const pid of pids) {
          const blame = await findBlame(pid);
          if (blame) return { may: false, why: blame };
        }
        return { may: true };
      } catch (error) {
        return { may: false, why: `it cannot be told who asks: ${(error as Error).message}` };
      }
    },
    async claudeBehind(peer) {
      const claudes = listClaudes();
      const look = await openProcessTable();
      for (const pid of peer ? await listPids(peer) : []) {
        let at = pid;
        for (let hops = 0; at > 1 && hops < mostAncestors; hops++) {
          if (claudes.has(at)) return at;
          at = (await look(at))?.parent ?? 0;
        }
      }
      return undefined;
    },
  };
}

interface Sockets {
  /** The kernel's tables of connections. */
  table: string;
  /** The processes that hold a socket, by its inode. */
  holders: Map<string, number[]>;
}

/** A look through every process takes a while: one serves all who asked before it began. */
function shareLooks<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const looking = look();
      running = looking.catch(() => undefined);
      return looking;
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

/** All processes that hold the other end of this connection. */
function findHolders({ table, holders }: Sockets, peer: NonNullable<Peer>): number[] {
  return holders.get(findInode(table, peer) ?? "") ?? [];
}

/** In the kernel's table the other end is the row whose own port is the peer's, and whose far port is ours. */
export function findInode(table: string, { remotePort, localPort }: NonNullable<Peer>): string | undefined {
  const loopback = /^(?:[0-9A-F]{6}7F|0{16}FFFF0{4}[0-9A-F]{6}7F|0{24}01000000)$/;
  for (const line of table.split("\n")) {
    const [, own = "", far = "", , , , , , , inode] = line.trim().split(/\s+/);
    const [[ownAddress = "", ownPort = ""], [, farPort = ""]] = [own.split(":"), far.split(":")];
    const isPeer = Number.parseInt(ownPort, 16) === remotePort && Number.parseInt(farPort, 16) === localPort;
    if (isPeer && loopback.test(ownAddress) && inode !== "0") return inode;
  }
  return undefined;
}

async function listSockets(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  // Gone meanwhile, or of another user: not the one we look for, or not to be told.
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => "")));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

async function readProcess(pid: number): Promise<ProcessFacts | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  const end = stat.lastIndexOf(")");
  const parent = Number(stat.slice(end + 2).split(" ")[1]);
  return { parent, name: stat.slice(stat.indexOf("(") + 1, end) };
}

export function makePsReader(listing: string): (pid: number) => ProcessFacts | undefined {
  const processes = new Map(
    listing.split("\n").flatMap((line): [number, ProcessFacts][] => {
      const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
      return match ? [[Number(match[1]), { parent: Number(match[2]), name: basename(match[3] ?? "") }]] : [];
    }),
  );
  return (pid) => processes.get(pid);
}

function lsofArguments({ remotePort }: NonNullable<Peer>): string[] {
  return ["-nP", `-iTCP:${remotePort}`, "-sTCP:ESTABLISHED", "-Fpn"];
}

/** `p` names a process, `n` one of its connections, own end first. */
export function readLsof(output: string, { remotePort, localPort }: NonNullable<Peer>): number[] {
  const pids = new Set<number>();
  let pid = 0;
  for (const line of output.split("\n")) {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1));
    const ports = /^n.*:(\d+)->.*:(\d+)$/.exec(line)?.slice(1).map(Number);
    if (ports?.[0] === remotePort && ports[1] === localPort) pids.add(pid);
  }
  return [...pids];
}

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 5_000, maxBuffer: 16_000_000 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });
}
