import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock } from "../shared/clock.ts";
import { makeId } from "../shared/ids.ts";
import { type AccessTables, openAccessTables } from "./access.ts";
import { type AgentTable, openAgentTable } from "./agents.ts";
import { type DeliveryTable, openDeliveryTable } from "./deliveries.ts";
import { type EmbeddingTable, openEmbeddingTable } from "./embedding-table.ts";
import { type EventTable, openEventTable } from "./events.ts";
import { type FolderFileTable, openFolderFileTable } from "./folder-files.ts";
import { type ForgettingTable, openForgettingTable } from "./forgettings.ts";
import { type ImportTable, openImportTable } from "./imports.ts";
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
import { type Database, isCorrupt, isStorageFull, makeStoreFull, openDatabase } from "../sqlite/sqlite.ts";
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
  /** The path a damaged database was moved to at this start; undefined if it was intact. */
  setAside: string | undefined;
  applied: string[];
  close(): void;
}

export function openStore(path: string, clock: Clock): Store {
  const { db, meta, origin, applied, setAside } = openSound(path, clock);
  const upkeep = openUpkeep(db, { path, index: "memory_fts" });
  if (meta.get(rewriteKey) !== undefined) rewriteOnce(meta, upkeep);
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
    setAside,
    applied,
    close() {
      db.close();
      upkeep.close();
    },
  };
}

/** Rewriting needs as much free space again: without it, the next start retries. */
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

function openSound(path: string, clock: Clock): Opened & { setAside: string | undefined } {
  try {
    return { ...openAndMigrate(path, clock), setAside: undefined };
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    if (isStorageFull(cause)) throw makeStoreFull(cause);
    if (!isCorrupt(cause)) throw error;
    const setAside = moveAside(path, clock());
    return { ...openAndMigrate(path, clock), setAside };
  }
}

function openAndMigrate(path: string, clock: Clock): Opened {
  const suspect = existsSync(suspectMark(path));
  const db = openDatabase(path);
  try {
    if (suspect) checkIntegrity(db);
    const applied = migrate(db, loadStoreMigrations());
    const meta = openMetaTable(db);
    const origin = meta.getOrCreate("origin", () => `${hostname()}:${makeId(clock())}`);
    rmSync(suspectMark(path), { force: true });
    return { db, meta, origin, applied };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Written by a daemon that found damage while running: the next start checks the file before using it. */
export function suspectMark(path: string): string {
  return `${path}.suspect`;
}

function checkIntegrity(db: Database): void {
  const verdict = db.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
  if (verdict !== "ok") throw Object.assign(new Error(`damaged: ${verdict}`), { errcode: 11 });
}

/** Deletes nothing: the damaged files stay next to the new ones, for manual repair. */
function moveAside(path: string, nowMs: number): string {
  const target = `${path}.damaged-${new Date(nowMs).toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  rmSync(suspectMark(path), { force: true });
  return target;
}
