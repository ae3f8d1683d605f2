import { traceOrigin } from "../../hosts/trace-origin.ts";
import { isLoopback, type Peer } from "../../http/peer.ts";
import { listAncestry, openProcessTable, type ProcessTable } from "../../shared/process-table.ts";
import { isSameProcess, processStartMark } from "../../shared/processes.ts";
import type { Store } from "../../store/open-store.ts";
import { openPeerLookup, type PeerLookup } from "./peer-processes.ts";

/** `host`: the process of a known session that is an ancestor of the caller, if that is the reason. */
export type CallerVerdict = { may: true } | { may: false; why: string; host?: number | undefined };

/**
 * An agent must not approve its own requests: a process that decides or pairs through the API must not descend from any
 * known coding agent. If that cannot be verified, it is refused. This stops an agent that uses the tools it is given;
 * another program of the same user can always pretend to be that user (docs/reaching-you.md).
 */
export interface CallerCheck {
  /**
   * Reads the full process table, so it is only for requests that decide. `needsTerminal`: the caller must also have a
   * controlling terminal that is not the terminal of a session; an agent's commands usually have none.
   */
  mayDecide(peer: Peer, options?: { needsTerminal?: boolean }): Promise<CallerVerdict>;
  /**
   * Whether the caller is the process of a session, one of its descendants (its MCP server), or the program that started
   * it and so controls it. Windows has no way to look up a caller: there the request is trusted.
   */
  maySpeakFor(hostPid: number, peer: Peer): Promise<CallerVerdict>;
  /**
   * Whether the caller may make this process the one of a session. An agent may only name an agent's process: a session
   * of the person's shell or desktop would make everything that the person starts there an agent's.
   */
  mayRepresent(hostPid: number, peer: Peer): Promise<CallerVerdict>;
  /** Whether the caller certainly runs under a coding agent: both processes were found. */
  isAgent(peer: Peer): Promise<boolean>;
}

const maxReadings = 3;

export function makeCallerCheck(
  store: Store,
  platform: NodeJS.Platform = process.platform,
  lookUp: PeerLookup = openPeerLookup(platform),
): CallerCheck {
  /** Retries an empty result: connections change while the kernel lists them, so one reading can miss a connection. */
  async function findProcesses(peer: NonNullable<Peer>): Promise<number[]> {
    for (let reading = 1; ; reading++) {
      const pids = await lookUp(peer);
      if (pids.length > 0 || reading === maxReadings) return pids;
    }
  }

  function listSessionPids(): Set<number> {
    return new Set(
      store.sessions
        .active()
        .flatMap(({ hostPid, pidStarted }) =>
          hostPid !== null && isSameProcess(hostPid, pidStarted) ? [hostPid] : [],
        ),
    );
  }

  /** The verdict of `judge` on the processes at the other end; a refusal if there are none or if it fails. */
  async function withProcesses(
    peer: Peer,
    judge: (pids: number[]) => Promise<CallerVerdict>,
  ): Promise<CallerVerdict> {
    if (!peer) return { may: false, why: "this socket does not identify the calling process" };
    if (!isLoopback(peer)) return { may: false, why: `it comes from ${peer.remoteAddress}, not 127.0.0.1` };
    try {
      const pids = await findProcesses(peer);
      return pids.length > 0 ? await judge(pids) : { may: false, why: "the calling process was not found" };
    } catch (error) {
      return { may: false, why: `the calling process was not found: ${(error as Error).message}` };
    }
  }

  async function judgeOrigin(pids: number[], needsTerminal: boolean): Promise<CallerVerdict> {
    const readProcess = await openProcessTable(platform);
    const sessionPids = listSessionPids();
    for (const pid of pids) {
      const origin = traceOrigin(pid, readProcess, sessionPids);
      if (origin.kind !== "person")
        return { may: false, why: origin.why, host: findHost(pids, readProcess, sessionPids) };
    }
    return needsTerminal ? judgeTerminals(pids, readProcess, sessionPids) : { may: true };
  }

  function judgeTerminals(
    pids: number[],
    readProcess: ProcessTable,
    sessionPids: ReadonlySet<number>,
  ): CallerVerdict {
    const owners = new Map([...sessionPids].map((pid) => [readProcess(pid)?.terminal, pid]));
    for (const pid of pids) {
      const terminal = readProcess(pid)?.terminal;
      if (terminal === undefined)
        return {
          may: false,
          why: `process ${pid} has no terminal, nor the secret of a viewer tab that you opened`,
        };
      const owner = owners.get(terminal);
      if (owner !== undefined)
        return { may: false, why: `the terminal of process ${pid} belongs to a session (process ${owner})` };
    }
    return { may: true };
  }

  /** Processes that the other end of a connection may speak for: programs post many events over one connection. */
  const spokenFor = new WeakMap<WeakKey, Set<string>>();

  async function isAgent(peer: Peer): Promise<boolean> {
    if (!peer) return false;
    // A caller that cannot be found is not certain to run under one.
    const pids = await findProcesses(peer).catch(() => []);
    const readProcess = await openProcessTable(platform);
    const sessionPids = listSessionPids();
    return pids.some((pid) => traceOrigin(pid, readProcess, sessionPids).kind === "agent");
  }

  async function maySpeakFor(hostPid: number, peer: Peer): Promise<CallerVerdict> {
    if (platform === "win32") return { may: true };
    const startMark = processStartMark(hostPid);
    const known = peer?.connection && (spokenFor.get(peer.connection) ?? new Set());
    if (known?.has(`${hostPid} ${startMark}`)) return { may: true };
    const verdict = await withProcesses(peer, async (pids) => {
      const readProcess = await openProcessTable(platform);
      const descends = (pid: number, from: number): boolean =>
        [...listAncestry(pid, readProcess)].some(
          (ancestor) => ancestor.pid === from || ancestor.facts?.parentPid === from,
        );
      const stranger = pids.find((pid) => !descends(pid, hostPid) && !descends(hostPid, pid));
      if (stranger === undefined) return { may: true };
      return { may: false, why: `process ${stranger} does not run under process ${hostPid}` };
    });
    if (peer?.connection && known && verdict.may && startMark !== null)
      spokenFor.set(peer.connection, known.add(`${hostPid} ${startMark}`));
    return verdict;
  }

  return {
    mayDecide: (peer, { needsTerminal = false } = {}) =>
      withProcesses(peer, (pids) => judgeOrigin(pids, needsTerminal)),
    maySpeakFor,
    async mayRepresent(hostPid, peer) {
      const verdict = await maySpeakFor(hostPid, peer);
      if (!verdict.may || platform === "win32" || !(await isAgent(peer))) return verdict;
      const readProcess = await openProcessTable(platform);
      if (traceOrigin(hostPid, readProcess, listSessionPids()).kind === "agent") return verdict;
      return { may: false, why: `process ${hostPid} is not an agent's` };
    },
    isAgent,
  };
}

function findHost(
  pids: readonly number[],
  readProcess: ProcessTable,
  sessionPids: ReadonlySet<number>,
): number | undefined {
  for (const pid of pids)
    for (const ancestor of listAncestry(pid, readProcess))
      if (sessionPids.has(ancestor.pid)) return ancestor.pid;
  return undefined;
}
