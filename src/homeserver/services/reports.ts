import type { Clock } from "../../shared/clock.ts";
import type { BatchedDatabase } from "./batched-database.ts";

interface Report {
  reporter: string;
  roomId?: string | undefined;
  eventId?: string | undefined;
  userId?: string | undefined;
  reason?: string | undefined;
}

/** The table `reports`: abuse reports for the administrator. */
interface Reports {
  add(report: Report): void;
}

export function openReports(db: BatchedDatabase, clock: Clock): Reports {
  return {
    add: ({ reporter, roomId, eventId, userId, reason }) =>
      db.write(
        "INSERT INTO reports (reporter, room, event, user, reason, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        reporter,
        roomId,
        eventId,
        userId,
        reason,
        clock(),
      ),
  };
}
