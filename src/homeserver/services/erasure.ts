import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { eraseBytes } from "../../sqlite/erase-bytes.ts";
import type { Upkeep } from "../../sqlite/upkeep.ts";
import { removeAttached } from "./attached-media.ts";
import type { AccountData } from "./account-data.ts";
import type { Accounts } from "./accounts.ts";
import { emptyRoom, type PurgeDeps, purgeRoom, purgeUser } from "./purge.ts";
import { strikeEvent, type StrikeDeps } from "./strike-event.ts";
import { textPlaces } from "./text-places.ts";
import { findToldEvents, localpartOf, type Telling, type ToldEvent } from "./told-events.ts";

/** What whoever runs this server wants gone. */
export interface ErasureRequest {
  /** Source of an expression with the flags `iu`: wherever it matches. */
  pattern?: string | undefined;
  /** Events by id, with their edits and what they attach. */
  events?: readonly string[] | undefined;
  /** Whatever was said then. */
  span?: { from: number; to: number } | undefined;
  /** Where `pattern` and `span` hold; everywhere without. */
  rooms?: readonly string[] | undefined;
  /** Files by id. */
  media?: readonly string[] | undefined;
  /** Rooms and users that go altogether. */
  goneRooms?: readonly string[] | undefined;
  goneUsers?: readonly string[] | undefined;
  /** Only say how much there is. */
  isRehearsal?: boolean | undefined;
}

export interface ErasureReport {
  events: number;
  media: number;
  /** Of any other kind. */
  rows: number;
}

/**
 * Takes things back, and leaves no byte of them. Can be asked for again at any time: what was cut short is done, what was
 * done is not there any more.
 */
export interface Erasure {
  run(request: ErasureRequest, upkeep: Upkeep): Promise<ErasureReport>;
}

export interface ErasureDeps extends StrikeDeps, PurgeDeps {
  accounts: Accounts;
  accountData: AccountData;
}

const atOnce = 50;
/** Whoever listens hears that a room is left before it is not there any more. */
const farewellMs = 300;
/** Lists of ids, which are names. */
const idLists = new Set(["m.direct", "m.ignored_user_list"]);

export function openErasure(deps: ErasureDeps): Erasure {
  const { ledger, accounts, accountData, membership, media } = deps;
  const giveWay = (): Promise<void> => nextTurn();

  async function strikeEvents(telling: Telling, report: ErasureReport): Promise<void> {
    for await (const told of findToldEvents(ledger, telling, giveWay)) {
      // Files first: an event that is struck out does not say any more what it brought.
      report.media += await removeAttached(deps, told);
      for (let at = 0; at < told.length; at += atOnce) {
        await giveWay();
        const few = told.slice(at, at + atOnce);
        ledger.attempt(() => {
          for (const event of few) strikeEvent(deps, event, isInName(event, telling.pattern));
        });
      }
      report.events += told.length;
    }
  }

  /** Wherever else clients keep text. */
  function strikeRows(pattern: RegExp): number {
    let struck = 0;
    for (const { table, keys, texts, strike } of textPlaces)
      for (const row of ledger.all<Record<string, string | number>>(
        `SELECT ${keys.join(", ")}, concat_ws(char(10), ${texts.join(", ")}) AS told FROM ${table}`,
      )) {
        if (!pattern.test(String(row.told))) continue;
        ledger.write(strike, ...keys.map((key) => row[key]));
        struck++;
      }
    return struck + strikeProfiles(pattern) + strikeAccountData(pattern);
  }

  function strikeProfiles(pattern: RegExp): number {
    let struck = 0;
    for (const { id } of ledger.all<{ id: string }>("SELECT id FROM users")) {
      const { displayName, avatarUrl } = accounts.get(id);
      const isNamed = displayName !== localpartOf(id) && pattern.test(displayName ?? "");
      if (isNamed) accounts.setProfile(id, "displayname", undefined);
      const isPictured = pattern.test(avatarUrl ?? "");
      if (isPictured) accounts.setProfile(id, "avatar_url", undefined);
      if (!isNamed && !isPictured) continue;
      membership.spreadProfile(id);
      struck++;
    }
    return struck;
  }

  function strikeAccountData(pattern: RegExp): number {
    let struck = 0;
    const rows = ledger.all<{ user: string; room: string; type: string; content: string }>(
      "SELECT user, room, type, content FROM account_data",
    );
    for (const { user, room, type, content } of rows) {
      if (idLists.has(type) || !pattern.test(`${type}\n${content}`)) continue;
      if (pattern.test(type))
        ledger.write("DELETE FROM account_data WHERE user = ? AND room = ? AND type = ?", user, room, type);
      else accountData.set(user, room, type, {});
      struck++;
    }
    return struck;
  }

  function findMedia(pattern: RegExp): string[] {
    return ledger
      .all<{ id: string; told: string }>("SELECT id, concat_ws(char(10), type, name) AS told FROM media")
      .filter(({ told }) => pattern.test(told))
      .map(({ id }) => id);
  }

  async function purge(rooms: readonly string[], users: readonly string[]): Promise<number> {
    if (rooms.length + users.length === 0) return 0;
    for (const room of rooms) emptyRoom(deps, room);
    ledger.flush();
    await pause(farewellMs);
    let events = 0;
    for (const room of rooms) events += await purgeRoom(deps, room, giveWay);
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
      const telling: Telling = { pattern, span, rooms, events };
      if (request.isRehearsal) {
        for await (const told of findToldEvents(ledger, telling, giveWay)) report.events += told.length;
        return report;
      }
      for (const id of files) await media.remove(id);
      await strikeEvents(telling, report);
      if (everywhere) report.rows += strikeRows(everywhere);
      report.events += await purge(goneRooms, goneUsers);
      ledger.flush();
      // What is remembered of rooms quotes what was struck out.
      ledger.letGo();
      await eraseBytes(upkeep, giveWay);
      return report;
    },
  };
}

/** In the event's type, or in a state key that is nobody's id. */
function isInName({ type, stateKey }: ToldEvent, pattern: RegExp | undefined): boolean {
  if (!pattern) return false;
  return pattern.test(type) || (type !== "m.room.member" && pattern.test(stateKey ?? ""));
}
