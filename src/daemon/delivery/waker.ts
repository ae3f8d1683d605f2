import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { readOwnerName } from "../../config/owner-name.ts";
import { ageMs } from "../../shared/clock.ts";
import type { SpoolName } from "../../protocol/spool-name.ts";
import type { DeliveryRow } from "../../store/deliveries.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { DaemonContext } from "../runtime/context.ts";
import type { WakeCommand } from "../../hosts/host.ts";
import { hasOneSessionPerProcess } from "../../hosts/detect-host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { makeWakeLine } from "../../hosts/wake-line.ts";
import { repeat } from "../runtime/repeat.ts";
import { openWaitingBoard } from "../capture/waiting-board.ts";

/** Wakes idle sessions through their monitors: one sleeping shell per interactive session. */
export interface Waker {
  /** A monitor has connected and waits for a line. */
  attach(name: SpoolName, socket: Socket): void;
  /** The number of waiting monitors. */
  count(): number;
  start(): void;
  stop(): void;
}

/** A woken session submits a prompt within a second or two; otherwise the line was missed. */
const patienceMs = 30_000;
const maxTries = 3;
/** Esc ends a turn without an event: a turn without events for this long is not assumed to be running. */
const quietTurnMs = 20_000;
const checkMs = 5_000;
const commandMs = 20_000;
const maxLine = 450;
/** A Matrix user id, or its first part. It contains no white space, so that it cannot form a sentence. */
const accountName = /^@?[\w.=+-]{1,40}(:[\w.:-]{1,60})?$/;

type WakeSession = (line: string) => unknown;

/** Only wakes sessions with queued deliveries; a busy one gets them after its next tool call anyway. */
export function openWaker(deps: DaemonContext): Waker {
  const { home, config, store, bus, log, clock } = deps;
  const isEnabled = config.delivery.wake;
  const owner = readOwnerName(config);
  /** Keyed by the process id of the monitor's host, or by the session if the host runs many in one process. */
  const monitors = openWaitingBoard<number | string>(home.reply);
  /** Times are from `performance.now()`, which clock changes do not affect. */
  const tries = new Map<string, { count: number; at: number }>();
  let unsubscribe = (): void => {};
  let timer: { stop(): void } | undefined;

  function attach({ id, name, host }: SpoolName, socket: Socket): void {
    const file = takeFile(join(home.spool, name));
    if (!file) return void socket.destroy();
    const isShared = host !== undefined && !hasOneSessionPerProcess(host);
    monitors.register(isShared ? file.sessionId : file.hostPid, id, socket);
    if (!isEnabled) return;
    wakeIfIdle(isShared ? store.sessions.byId(file.sessionId) : store.sessions.latestOfPid(file.hostPid));
  }

  /** Through its monitor, or by a command of the host; undefined if nothing can wake it now. */
  function findWakeSession({
    id: sessionId,
    host,
    hostPid,
    transcriptPath,
  }: SessionRow): WakeSession | undefined {
    const monitor = [sessionId, hostPid].find((key) => key !== null && monitors.isWaiting(key));
    if (monitor) return (line) => monitors.release(monitor, `${line}\n`);
    const wake = hosts.find(({ name }) => name === host)?.wake;
    return wake && ((line) => runWake(wake({ sessionId, transcriptPath }, line)));
  }

  function runWake({ command, args, environment }: WakeCommand): void {
    const options = { timeout: commandMs, env: { ...deps.environment, ...environment } };
    execFile(command, args, options, (error) => {
      if (error) log.warn("session not woken", { command, error });
    });
  }

  function isIdle(session: SessionRow): boolean {
    return (
      store.turns.findOpen(session.id) === undefined || ageMs(session.lastEventAt, clock()) > quietTurnMs
    );
  }

  function wakeIfIdle(session: SessionRow | undefined): void {
    const wakeSession = session && findWakeSession(session);
    if (!wakeSession || !isIdle(session)) return;
    const waiting = store.deliveries.openFor(session.agentId).filter((row) => row.state === "queued");
    const [first] = waiting;
    if (!first) return;
    const earlier = tries.get(first.id) ?? { count: 0, at: Number.NEGATIVE_INFINITY };
    if (earlier.count >= maxTries || performance.now() - earlier.at < patienceMs) return;
    tries.set(first.id, { count: earlier.count + 1, at: performance.now() });
    const senders = [...new Set(waiting.map(nameSender))].slice(0, 3);
    // Contains no delivery id: in the transcript it would count as the delivery itself.
    wakeSession(makeWakeLine(waiting.length, senders).replace(/\s+/g, " ").slice(0, maxLine));
    log.info("session woken", { session: session.id });
  }

  /** The line reaches the session unfenced, so it only contains names of agents and ids of accounts. */
  function nameSender({ kind, sender, messageId }: DeliveryRow): string {
    if (kind === "answer" || (messageId !== null && sender === owner)) return "your user";
    const isAccount = messageId !== null && accountName.test(sender);
    return isAccount || store.agents.byName(sender) ? sender : "someone";
  }

  function wakeAllIdle(): void {
    for (const session of store.sessions.active()) wakeIfIdle(session);
  }

  return {
    attach,
    count: monitors.count,
    start() {
      if (!isEnabled) return;
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "turn.ended") wakeIfIdle(store.sessions.byId(event.sessionId));
        if (event.type === "delivery.queued") wakeAllIdle();
        if (event.type === "delivery.injected") tries.delete(event.deliveryId);
      });
      timer = repeat(checkMs, wakeAllIdle, log);
    },
    stop() {
      unsubscribe();
      timer?.stop();
    },
  };
}

/** Reads and removes the monitor's spool file. Only the owner of that folder can have written it. */
function takeFile(path: string): { hostPid: number; sessionId: string } | undefined {
  try {
    const [header = "", ...rest] = readFileSync(path, "utf8").split("\n");
    rmSync(path, { force: true });
    const hostPid = Number.parseInt(header, 10);
    const sessionId = /"session_id":"([^"]*)"/.exec(rest.join("\n"))?.[1] ?? "";
    return hostPid > 0 ? { hostPid, sessionId } : undefined;
  } catch {
    return undefined; // No file: an unknown client on our port.
  }
}
