import { monotonicClock } from "../shared/clock.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { ServiceOptions } from "./contract.ts";
import { openAccountData } from "./services/account-data.ts";
import { openAccounts } from "./services/accounts.ts";
import { openAliases } from "./services/aliases.ts";
import { openBodyBudget, requestBytes, responseBytes } from "./services/body-budget.ts";
import { openRoomCreation } from "./services/create-room.ts";
import { openCrossSigning } from "./services/cross-signing.ts";
import { openDeviceKeys } from "./services/device-keys.ts";
import { openDeviceLists } from "./services/device-lists.ts";
import { openErasure } from "./services/erasure.ts";
import { openEventLog } from "./services/event-log.ts";
import { openFilters } from "./services/filters.ts";
import { makeFollowUpgrade } from "./services/follow-upgrade.ts";
import { openHistory } from "./services/history.ts";
import { makeIgnoredUsers } from "./services/ignored-users.ts";
import { openKeyBackup } from "./services/key-backup.ts";
import { openBatchedDatabase } from "./services/batched-database.ts";
import { makeLongPoll } from "./services/long-poll.ts";
import { openMedia } from "./services/media.ts";
import { openMembers } from "./services/members.ts";
import { openMembershipChanges } from "./services/membership.ts";
import { openOpenIds } from "./services/openid.ts";
import { openPasswordChecks } from "./services/passwords.ts";
import { openPresence } from "./services/presence.ts";
import { openPresenter } from "./services/presenter.ts";
import { openPushRules } from "./services/push-rules.ts";
import { openPushers } from "./services/pushers.ts";
import { openRateLimit } from "./services/rate-limits.ts";
import { openReadQueue } from "./services/read-queue.ts";
import { openReceipts } from "./services/receipts.ts";
import { openRelations } from "./services/relations.ts";
import { openReports } from "./services/reports.ts";
import { openRooms } from "./services/rooms.ts";
import { openMessageSearch } from "./services/search.ts";
import { openSessions } from "./services/sessions.ts";
import { openSignOut } from "./services/sign-out.ts";
import { openSlidingExtensions } from "./services/sliding-extensions.ts";
import { openSlidingRooms } from "./services/sliding-room.ts";
import { openSlidingSync } from "./services/sliding-sync.ts";
import { openSync } from "./services/sync.ts";
import { openDeviceChanges } from "./services/sync-devices.ts";
import { openSyncRooms } from "./services/sync-room.ts";
import { openTimeSlices } from "./services/time-slices.ts";
import { openTimeline } from "./services/timeline.ts";
import { openToDevice } from "./services/to-device.ts";
import { openTyping } from "./services/typing.ts";
import { openUnreadCounts } from "./services/unread.ts";
import { openUserInteractive } from "./services/user-interactive.ts";
import { openPollWaker } from "./services/poll-waker.ts";

/** Everything that handlers have access to. */
export type Services = ReturnType<typeof openServices>;

/** Wrong passwords per user: a burst of ten, then one every five seconds. Attempts above this limit are answered slowly. */
const passwordAttemptsPerSecond = 0.2;
const passwordAttemptBurst = 10;

export function openServices(connection: Database, options: ServiceOptions) {
  const { serverName, clock, limits } = options;
  const db = openBatchedDatabase(connection);
  const waker = openPollWaker();
  const log = openEventLog(db);
  const rooms = openRooms(db, log);
  const members = openMembers(db);
  const accounts = openAccounts(db);
  const sessions = openSessions(db, clock);
  const passwords = openPasswordChecks(
    openRateLimit(monotonicClock, passwordAttemptsPerSecond, passwordAttemptBurst),
  );
  const timeline = openTimeline({ db, log, members, waker, clock, serverName });
  const aliases = openAliases(db, serverName);
  const accountData = openAccountData(db, waker);
  const ignoredUsers = makeIgnoredUsers(accountData);
  const history = openHistory(log, members, ignoredUsers);
  const relations = openRelations(db, ignoredUsers);
  const presenter = openPresenter(relations, log, clock);
  const pushRules = openPushRules(accountData);
  const followUpgrade = makeFollowUpgrade(accountData, pushRules);
  const membership = openMembershipChanges({ accounts, members, rooms, timeline, followUpgrade });
  const receipts = openReceipts(db, waker, clock);
  const typing = openTyping(db, waker);
  const presence = openPresence({ db, waker, members });
  const unread = openUnreadCounts({ db, log, members, receipts, pushRules, ignoredUsers });
  const deviceLists = openDeviceLists(db, members, rooms, waker);
  const deviceKeys = openDeviceKeys(db, deviceLists, waker);
  const deviceChanges = openDeviceChanges(deviceLists, members, rooms, log);
  const toDevice = openToDevice(db, sessions, waker, clock);
  const pushers = openPushers(db);
  const media = openMedia(db, options.mediaFolder, clock, limits.mediaBytes);
  const syncRooms = openSyncRooms({ log, history, presenter, receipts, typing, accountData, unread });
  const timeSlices = openTimeSlices();
  const reads = openReadQueue();
  const longPoll = makeLongPoll({ db, waker, reads, clock: monotonicClock, limits });
  const sync = openSync({
    db,
    members,
    rooms,
    syncRooms,
    accountData,
    ignoredUsers,
    pushRules,
    presence,
    toDevice,
    deviceKeys,
    deviceChanges,
    clock,
    timeSlices,
    longPoll,
  });
  const slidingSync = openSlidingSync({
    db,
    members,
    rooms,
    accountData,
    ignoredUsers,
    presence,
    clock,
    timeSlices,
    longPoll,
    slidingRooms: openSlidingRooms({ log, history, presenter, accountData, unread, clock }),
    extensions: openSlidingExtensions({
      accountData,
      pushRules,
      receipts,
      typing,
      toDevice,
      deviceKeys,
      deviceChanges,
    }),
  });
  return {
    serverName,
    clock,
    db,
    waker,
    log,
    rooms,
    members,
    accounts,
    sessions,
    passwords,
    timeline,
    aliases,
    membership,
    history,
    relations,
    presenter,
    accountData,
    pushRules,
    receipts,
    typing,
    presence,
    unread,
    deviceLists,
    deviceKeys,
    deviceChanges,
    toDevice,
    pushers,
    sync,
    slidingSync,
    timeSlices,
    reads,
    limits: {
      ...limits,
      writes: openRateLimit(monotonicClock, limits.writesPerSecond, limits.writesPerSecond * 2),
      bodyBudget: openBodyBudget(requestBytes),
      responseBudget: openBodyBudget(responseBytes),
    },
    filters: openFilters(db),
    roomCreation: openRoomCreation({ rooms, timeline, aliases, membership, serverName, clock }),
    crossSigning: openCrossSigning(db, deviceLists),
    keyBackup: openKeyBackup(db),
    media,
    erasure: openErasure({
      db,
      rooms,
      timeline,
      membership,
      media,
      serverName,
      accounts,
      accountData,
    }),
    search: openMessageSearch(db),
    reports: openReports(db, clock),
    openIds: openOpenIds(monotonicClock),
    signOut: openSignOut({ db, sessions, deviceKeys, deviceLists, pushers }),
    userInteractive: openUserInteractive(accounts, serverName, monotonicClock, passwords),
    registration: { isOpen: options.isRegistrationOpen },
    /** The address for clients; set once the server listens. */
    address: { url: "" },
    close() {
      waker.close();
      typing.close();
      presence.close();
      db.flush();
    },
  };
}
