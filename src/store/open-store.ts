import { existsSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock } from "../shared/clock.ts";
import { makeId } from "../shared/ids.ts";
import { type AgentTable, openAgentTable } from "./agents.ts";
import { type DeliveryTable, openDeliveryTable } from "./deliveries.ts";
import { type EventTable, openEventTable } from "./events.ts";
import { type MetaTable, openMetaTable } from "./meta.ts";
import { loadMigrations, migrate } from "./migrate.ts";
import { openSessionTable, type SessionTable } from "./sessions.ts";
import { type Database, isCorrupt, openDatabase } from "./sqlite.ts";
import { openTurnTable, type TurnTable } from "./turns.ts";

/** The one writer: every table family on one connection. */
export interface Store {
  db: Database;
  meta: MetaTable;
  agents: AgentTable;
  sessions: SessionTable;
  turns: TurnTable;
  events: EventTable;
  deliveries: DeliveryTable;
  /** Where a damaged database was moved to at this start, if that happened. */
  setAside: string | undefined;
  applied: string[];
  close(): void;
}

export function openStore(path: string, clock: Clock): Store {
  const { db, applied, setAside } = openMigrated(path, clock);
  const meta = openMetaTable(db);
  const origin = meta.getOrCreate("origin", () => `${hostname()}:${makeId(clock())}`);
  return {
    db,
    meta,
    agents: openAgentTable(db, origin),
    sessions: openSessionTable(db, origin),
    turns: openTurnTable(db, origin),
    events: openEventTable(db, origin),
    deliveries: openDeliveryTable(db, origin),
    setAside,
    applied,
    close: () => db.close(),
  };
}

function openMigrated(
  path: string,
  clock: Clock,
): { db: Database; applied: string[]; setAside: string | undefined } {
  try {
    return { ...openAndMigrate(path), setAside: undefined };
  } catch (error) {
    if (!isCorrupt(error) && !isCorrupt((error as Error).cause)) throw error;
    const setAside = moveAside(path, clock());
    return { ...openAndMigrate(path), setAside };
  }
}

function openAndMigrate(path: string): { db: Database; applied: string[] } {
  const suspect = existsSync(suspectMark(path));
  const db = openDatabase(path);
  try {
    if (suspect) checkIntegrity(db);
    const applied = migrate(db, loadMigrations());
    rmSync(suspectMark(path), { force: true });
    return { db, applied };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Left by a daemon that met damage while running: the next start looks before it trusts. */
export function suspectMark(path: string): string {
  return `${path}.suspect`;
}

function checkIntegrity(db: Database): void {
  const verdict = db.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
  if (verdict !== "ok") throw Object.assign(new Error(`damaged: ${verdict}`), { errcode: 11 });
}

/** Nothing is deleted: the damaged files stay beside the new ones, for repair by hand. */
function moveAside(path: string, nowMs: number): string {
  const target = `${path}.damaged-${new Date(nowMs).toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  rmSync(suspectMark(path), { force: true });
  return target;
}
