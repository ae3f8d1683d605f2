import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { eraseBytes } from "../../sqlite/erase-bytes.ts";
import type { Upkeep } from "../../sqlite/upkeep.ts";
import type { ErasureReport, ErasureRequest } from "../contract.ts";
import { removeAttached } from "./attached-media.ts";
import type { AccountData } from "./account-data.ts";
import type { Accounts } from "./accounts.ts";
import { removeAllMembers, type PurgeDeps, purgeRoom, purgeUser } from "./purge.ts";
import { eraseEvent, type EraseEventDeps } from "./erase-event.ts";
import { textColumns } from "./text-columns.ts";
import {
  findMatchingEvents,
  localpartOf,
  type EventSelection,
  type MatchingEvent,
} from "./matching-events.ts";

/**
 * Redacts content and erases its bytes from the disk. Idempotent: running it again completes an interrupted run.
 */
interface Erasure {
  run(request: ErasureRequest, upkeep: Upkeep): Promise<ErasureReport>;
}

interface ErasureDeps extends EraseEventDeps, PurgeDeps {
  accounts: Accounts;
  accountData: AccountData;
}

const batchSize = 50;
/** Time for syncing clients to receive the leave events before the rooms are deleted. */
const leaveNoticeMs = 300;
/** Account data that consists of ids only. */
const idLists = new Set(["m.direct", "m.ignored_user_list"]);

export function openErasure(deps: ErasureDeps): Erasure {
  const { db, accounts, accountData, membership, media } = deps;
  const yieldTurn = (): Promise<void> => nextTurn();

  async function eraseEvents(selection: EventSelection, report: ErasureReport): Promise<void> {
    for await (const matching of findMatchingEvents(db, selection, yieldTurn)) {
      // Files first: a redacted event no longer names its attachments.
      report.media += await removeAttached(deps, matching);
      for (let at = 0; at < matching.length; at += batchSize) {
        await yieldTurn();
        const chunk = matching.slice(at, at + batchSize);
        db.transaction(() => {
          for (const event of chunk) eraseEvent(deps, event, matchesKey(event, selection.pattern));
        });
      }
      report.events += matching.length;
    }
  }

  /** Erases matching text in the other tables. */
  function eraseRows(pattern: RegExp): number {
    let erased = 0;
    for (const { table, keys, texts, eraseSql } of textColumns)
      for (const row of db.all<Record<string, string | number>>(
        `SELECT ${keys.join(", ")}, concat_ws(char(10), ${texts.join(", ")}) AS text FROM ${table}`,
      )) {
        if (!pattern.test(String(row.text))) continue;
        db.write(eraseSql, ...keys.map((key) => row[key]));
        erased++;
      }
    return erased + eraseProfiles(pattern) + eraseAccountData(pattern);
  }

  function eraseProfiles(pattern: RegExp): number {
    let erased = 0;
    for (const { id } of db.all<{ id: string }>("SELECT id FROM users")) {
      const { displayName, avatarUrl } = accounts.get(id);
      const isNamed = displayName !== localpartOf(id) && pattern.test(displayName ?? "");
      if (isNamed) accounts.setProfile(id, "displayname", undefined);
      const isPictured = pattern.test(avatarUrl ?? "");
      if (isPictured) accounts.setProfile(id, "avatar_url", undefined);
      if (!isNamed && !isPictured) continue;
      membership.propagateProfile(id);
      erased++;
    }
    return erased;
  }

  function eraseAccountData(pattern: RegExp): number {
    let erased = 0;
    const rows = db.all<{ user: string; room: string; type: string; content: string }>(
      "SELECT user, room, type, content FROM account_data",
    );
    for (const { user, room, type, content } of rows) {
      if (idLists.has(type) || !pattern.test(`${type}\n${content}`)) continue;
      if (pattern.test(type))
        db.write("DELETE FROM account_data WHERE user = ? AND room = ? AND type = ?", user, room, type);
      else accountData.set(user, room, type, {});
      erased++;
    }
    return erased;
  }

  function findMedia(pattern: RegExp): string[] {
    return db
      .all<{ id: string; text: string }>("SELECT id, concat_ws(char(10), type, name) AS text FROM media")
      .filter(({ text }) => pattern.test(text))
      .map(({ id }) => id);
  }

  async function purge(rooms: readonly string[], users: readonly string[]): Promise<number> {
    if (rooms.length + users.length === 0) return 0;
    for (const room of rooms) removeAllMembers(deps, room);
    db.flush();
    await pause(leaveNoticeMs);
    let events = 0;
    for (const room of rooms) events += await purgeRoom(deps, room, yieldTurn);
    for (const user of users) purgeUser(deps, user);
    return events;
  }

  return {
    async run(request, upkeep) {
      const { span, rooms, events = [], goneRooms = [], goneUsers = [] } = request;
      const pattern = request.pattern === undefined ? undefined : new RegExp(request.pattern, "iu");
      const everywhere = rooms === undefined ? pattern : undefined;
      const files = new Set([...(request.media ?? []), ...(everywhere ? findMedia(everywhere) : [])]);
      const report: ErasureReport = { events: 0, media: files.size, rows: 0 };
      const selection: EventSelection = { pattern, span, rooms, events };
      if (request.isRehearsal) {
        for await (const matching of findMatchingEvents(db, selection, yieldTurn))
          report.events += matching.length;
        return report;
      }
      for (const id of files) await media.remove(id);
      await eraseEvents(selection, report);
      if (everywhere) report.rows += eraseRows(everywhere);
      report.events += await purge(goneRooms, goneUsers);
      db.flush();
      // Cached rooms still contain the erased text.
      db.invalidateCaches();
      await eraseBytes(upkeep, yieldTurn);
      return report;
    },
  };
}

/** Whether the pattern matches the event's type, or a state key that is not a user id. */
function matchesKey({ type, stateKey }: MatchingEvent, pattern: RegExp | undefined): boolean {
  if (!pattern) return false;
  return pattern.test(type) || (type !== "m.room.member" && pattern.test(stateKey ?? ""));
}
