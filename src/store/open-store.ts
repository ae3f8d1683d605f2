import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock } from "../shared/clock.ts";
import { makeId } from "../shared/ids.ts";
import { parseJson } from "../shared/json.ts";
import { type AccessTables, openAccessTables } from "./access.ts";
import { type AgentTable, openAgentTable } from "./agents.ts";
import { type DeliveryTable, openDeliveryTable } from "./deliveries.ts";
import { type EmbeddingTable, openEmbeddingTable } from "./embedding-table.ts";
import { type EventTable, openEventTable } from "./events.ts";
import { type FolderFileTable, openFolderFileTable } from "./folder-files.ts";
import { type ForgettingTable, openForgettingTable } from "./forgettings.ts";
import { type ImportTable, openImportTable } from "./imports.ts";
import { type HubTable, openHubTable } from "./hub.ts";
import { type InjectionTable, openInjectionTable } from "./injections.ts";
import { openRecallOutcomes, type RecallOutcomes } from "./recall-outcomes.ts";
import { type MemoryIndex, openMemoryIndex } from "./memory-index.ts";
import { type LeaseTable, openLeaseTable } from "./leases.ts";
import { type MessageTable, openMessageTable } from "./messages.ts";
import { type MetaTable, openMetaTable } from "./meta.ts";
import { migrate } from "../sqlite/migrate.ts";
import { loadStoreMigrations } from "./store-migrations.ts";
import { type NoteTable, openNoteTable } from "./notes.ts";
import { type ModelCallTable, openModelCallTable } from "./model-calls.ts";
import { type ModelTurnTable, openModelTurnTable } from "./model-turns.ts";
import { openOutboxTable, type OutboxTable } from "./outbox.ts";
import { openQuestionTable, type QuestionTable } from "./questions.ts";
import { openProjectTable, type ProjectTable } from "./projects.ts";
import { openRoomTable, type RoomTable } from "./rooms.ts";
import { openSessionTable, type SessionTable } from "./sessions.ts";
import {
  type Database,
  findDamage,
  isCorrupt,
  isStorageFull,
  makeCorrupt,
  makeStoreFull,
  openDatabase,
} from "../sqlite/sqlite.ts";
import { openSummaryTable, type SummaryTable } from "./summaries.ts";
import { openTombstones, type Tombstones } from "./tombstones.ts";
import { openTaskTable, type TaskTable } from "./tasks.ts";
import { openTurnTable, type TurnTable } from "./turns.ts";
import { openUpkeep, type Upkeep } from "../sqlite/upkeep.ts";
import { openVectorTable, type VectorTable } from "./vector-table.ts";

/** Set if the file is to be rewritten at the next start, before clients connect. */
export const rewriteKey = "rewrite-at-start";

/** The only writer: all tables on one connection. */
export interface Store {
  db: Database;
  meta: MetaTable;
  agents: AgentTable;
  sessions: SessionTable;
  turns: TurnTable;
  events: EventTable;
  deliveries: DeliveryTable;
  projects: ProjectTable;
  notes: NoteTable;
  summaries: SummaryTable;
  injections: InjectionTable;
  recallOutcomes: RecallOutcomes;
  imports: ImportTable;
  modelTurns: ModelTurnTable;
  modelCalls: ModelCallTable;
  rooms: RoomTable;
  messages: MessageTable;
  tasks: TaskTable;
  leases: LeaseTable;
  index: MemoryIndex;
  folderFiles: FolderFileTable;
  tombstones: Tombstones;
  forgettings: ForgettingTable;
  upkeep: Upkeep;
  outbox: OutboxTable;
  access: AccessTables;
  questions: QuestionTable;
  vectors: VectorTable;
  embeddings: EmbeddingTable;
  hub: HubTable;
  /** The path a damaged database was moved to at this start; undefined if it was intact. */
  damagedCopy: string | undefined;
  /** Why the previous daemon suspected damage; undefined if it did not. */
  suspicion: string | undefined;
  appliedMigrations: string[];
  /** Called when a check in another thread finds damage. */
  reportDamage(reason: string): void;
  close(): void;
}

/** `onDamage` is called with every error of the open store that proves damage, and if its file disappears. */
export function openStore(path: string, clock: Clock, onDamage?: (error: unknown) => void): Store {
  const suspicion = readSuspicion(path)?.reason;
  const {
    db,
    meta,
    origin,
    applied: appliedMigrations,
    setAside: damagedCopy,
  } = openSound(path, clock, onDamage);
  const upkeep = openUpkeep(db, { path, index: "memory_fts" });
  if (meta.get(rewriteKey) !== undefined) rewriteOnce(meta, upkeep);
  let isClosed = false;
  return {
    db,
    meta,
    agents: openAgentTable(db, origin),
    sessions: openSessionTable(db, origin),
    turns: openTurnTable(db, origin),
    events: openEventTable(db, origin),
    deliveries: openDeliveryTable(db, origin),
    projects: openProjectTable(db, origin),
    notes: openNoteTable(db, origin),
    summaries: openSummaryTable(db, origin),
    injections: openInjectionTable(db),
    recallOutcomes: openRecallOutcomes(db),
    imports: openImportTable(db),
    modelTurns: openModelTurnTable(db),
    modelCalls: openModelCallTable(db, origin),
    rooms: openRoomTable(db, origin),
    messages: openMessageTable(db, origin),
    tasks: openTaskTable(db, origin),
    leases: openLeaseTable(db, origin),
    index: openMemoryIndex(db),
    folderFiles: openFolderFileTable(db),
    tombstones: openTombstones(
      db,
      meta.getOrCreate("tombstone-key", () => randomBytes(32).toString("hex")),
    ),
    forgettings: openForgettingTable(db),
    upkeep,
    outbox: openOutboxTable(db, origin),
    access: openAccessTables(db, origin),
    questions: openQuestionTable(db, origin),
    vectors: openVectorTable(db),
    embeddings: openEmbeddingTable(db),
    hub: openHubTable(db),
    damagedCopy,
    suspicion,
    appliedMigrations,
    reportDamage: (reason) => onDamage?.(makeCorrupt(reason)),
    close() {
      if (isClosed) return;
      isClosed = true;
      db.close();
      upkeep.close();
    },
  };
}

/** A rewrite needs free space as large as the file; if the disk is full, the next start retries. */
function rewriteOnce(meta: MetaTable, upkeep: Upkeep): void {
  try {
    upkeep.rewrite();
    meta.remove(rewriteKey);
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}

interface Opened {
  db: Database;
  meta: MetaTable;
  origin: string;
  applied: string[];
}

type OnDamage = ((error: unknown) => void) | undefined;

function openSound(
  path: string,
  clock: Clock,
  onDamage: OnDamage,
): Opened & { setAside: string | undefined } {
  try {
    return { ...openAndMigrate(path, clock, onDamage), setAside: undefined };
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    if (isStorageFull(cause)) throw makeStoreFull(cause);
    if (!isCorrupt(cause)) throw error;
    const setAside = moveAside(path, clock());
    return { ...openAndMigrate(path, clock, onDamage), setAside };
  }
}

function openAndMigrate(path: string, clock: Clock, onDamage: OnDamage): Opened {
  const suspicion = readSuspicion(path);
  if (suspicion?.isCertain) throw makeCorrupt(suspicion.reason);
  let isOpen = false; // Damage found while opening is handled by the caller.
  const db = openDatabase(path, onDamage ? { onDamage: (error) => isOpen && onDamage(error) } : {});
  try {
    if (suspicion) checkIntegrity(db);
    const applied = migrate(db, loadStoreMigrations());
    const meta = openMetaTable(db);
    const origin = meta.getOrCreate("origin", () => `${hostname()}:${makeId(clock())}`);
    rmSync(suspectMark(path), { force: true });
    isOpen = true;
    return { db, meta, origin, applied };
  } catch (error) {
    db.close();
    throw error;
  }
}

interface Suspicion {
  reason: string;
  /** Set the database aside even if a check finds nothing. */
  isCertain: boolean;
}

/** Makes the next start check the database before using it. */
export function markSuspect(path: string, suspicion: Suspicion): void {
  writeFileSync(suspectMark(path), JSON.stringify(suspicion));
}

function readSuspicion(path: string): Suspicion | undefined {
  if (!existsSync(suspectMark(path))) return undefined;
  try {
    return parseJson(readFileSync(suspectMark(path), "utf8")) as Suspicion;
  } catch {
    return { reason: "a check was requested", isCertain: false }; // The file is empty: created with `touch`, as doctor advises.
  }
}

function suspectMark(path: string): string {
  return `${path}.suspect`;
}

function checkIntegrity(db: Database): void {
  const damage = findDamage(db);
  if (damage !== undefined) throw makeCorrupt(`damaged: ${damage}`);
}

/** Deletes nothing: the damaged files stay next to the new ones, for manual repair. */
function moveAside(path: string, nowMs: number): string {
  const target = `${path}.damaged-${new Date(nowMs).toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  rmSync(suspectMark(path), { force: true });
  return target;
}
