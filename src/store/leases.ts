import { isActive, type Lease } from "../domain/mail/lease.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

export interface LeaseTable {
  /** Assigns the next fencing number of its project. */
  insert(lease: Omit<Lease, "fence">, at: number): Lease;
  extend(id: string, expiresAt: number): void;
  remove(id: string): void;
  byId(id: string): Lease | undefined;
  /** Active leases, oldest first; of one project, or of all. */
  listActive(nowMs: number, projectId?: string): Lease[];
}

type Row = Omit<Lease, "globs" | "isExclusive"> & { globs: string; isExclusive: number };

const select = `SELECT id, project_id AS projectId, holder, globs, is_exclusive AS isExclusive, expires_at AS expiresAt, fence,
  task_id AS taskId FROM leases`;

export function openLeaseTable(db: Database, origin: string): LeaseTable {
  const table: LeaseTable = {
    insert(lease, at) {
      db.run(
        `INSERT INTO leases (id, project_id, holder, globs, is_exclusive, expires_at, fence, task_id, created_at, origin)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT coalesce(max(fence), 0) + 1 FROM leases WHERE project_id = ?2), ?7, ?8, ?9)`,
        lease.id,
        lease.projectId,
        lease.holder,
        JSON.stringify(lease.globs),
        Number(lease.isExclusive),
        lease.expiresAt,
        lease.taskId,
        at,
        origin,
      );
      const given = table.byId(lease.id) as Lease;
      // Expired leases are deleted only now, because until then they keep their fencing numbers from being reused.
      db.run(
        "DELETE FROM leases WHERE project_id = ? AND expires_at <= ? AND fence < ?",
        lease.projectId,
        at,
        given.fence,
      );
      return given;
    },
    extend(id, expiresAt) {
      db.run("UPDATE leases SET expires_at = ? WHERE id = ?", expiresAt, id);
    },
    // The row stays until the next lease is granted, so that its fencing number is not reused.
    remove(id) {
      db.run("UPDATE leases SET expires_at = 0 WHERE id = ?", id);
    },
    byId(id) {
      const row = db.get<Row>(`${select} WHERE id = ?`, id);
      return row && fromRow(row);
    },
    listActive: (nowMs, projectId) =>
      db
        .all<Row>(
          `${select} WHERE expires_at > ?1 AND (?2 IS NULL OR project_id = ?2) ORDER BY fence`,
          nowMs,
          projectId ?? null,
        )
        .map(fromRow)
        .filter((lease) => isActive(lease, nowMs)),
  };
  return table;
}

function fromRow(row: Row): Lease {
  return { ...row, globs: parseJson(row.globs) as string[], isExclusive: row.isExclusive === 1 };
}
