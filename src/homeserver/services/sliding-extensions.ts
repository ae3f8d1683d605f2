import { refuse } from "../errors.ts";
import { type JsonObject, makeDictionary } from "../json.ts";
import { makeReceiptContents } from "../rules/receipt-events.ts";
import type { Extension, SlidingRequest, ToDeviceExtension } from "../rules/sliding-request.ts";
import type { AccountData } from "./account-data.ts";
import type { DeviceKeys } from "./device-keys.ts";
import type { PushRules } from "./push-rules.ts";
import type { Receipts } from "./receipts.ts";
import type { Room } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import type { DeviceChanges } from "./sync-devices.ts";
import type { ToDevice } from "./to-device.ts";
import type { Typing } from "./typing.ts";

/** A room that the request matches. */
interface ExtensionRoom {
  room: Room;
  isJoined: boolean;
  /** Names of the lists that contain the room. */
  lists: readonly string[];
  isSubscribed: boolean;
  /** Stream position up to which this connection has sent the room's data; 0 if it has sent none. */
  since: number;
}

interface ExtensionTurn {
  session: Session;
  wanted: SlidingRequest["extensions"];
  rooms: readonly ExtensionRoom[];
  since: number;
  upTo: number;
}

/** The extensions of a sliding sync response: data other than room events. */
export interface SlidingExtensions {
  show(turn: ExtensionTurn): { answer: JsonObject; isEmpty: boolean };
}

interface SlidingExtensionDeps {
  accountData: AccountData;
  pushRules: PushRules;
  receipts: Receipts;
  typing: Typing;
  toDevice: ToDevice;
  deviceKeys: DeviceKeys;
  deviceChanges: DeviceChanges;
}

interface ShownExtension {
  answer: JsonObject;
  isEmpty: boolean;
}

export function openSlidingExtensions(deps: SlidingExtensionDeps): SlidingExtensions {
  const { accountData, pushRules, receipts, typing, toDevice, deviceKeys, deviceChanges } = deps;

  function showMessages(
    { session, upTo }: ExtensionTurn,
    { since, limit }: ToDeviceExtension,
  ): ShownExtension {
    if (since !== undefined && !/^\d{1,15}$/.test(since))
      refuse("M_INVALID_PARAM", "Invalid token in extensions.to_device.since.");
    if (since !== undefined) toDevice.confirm(session.device, Number(since));
    const messages = toDevice.listWaiting(session.device, upTo).slice(0, limit);
    const nextBatch = String(messages.at(-1)?.stream ?? since ?? upTo);
    const answer = { next_batch: nextBatch, events: messages.map(({ message }) => message) };
    return { answer, isEmpty: messages.length === 0 };
  }

  function showKeys({ session, since }: ExtensionTurn): ShownExtension {
    const { userId, deviceId } = session;
    const { changed, left } =
      since === 0 ? { changed: [], left: [] } : deviceChanges.listBetween(userId, since);
    return {
      answer: {
        device_lists: { changed, left },
        device_one_time_keys_count: deviceKeys.counts(userId, deviceId),
        device_unused_fallback_key_types: deviceKeys.unusedFallbackTypes(userId, deviceId),
      },
      isEmpty: changed.length + left.length === 0 && deviceKeys.changedAt(userId) <= since,
    };
  }

  function showAccountData(turn: ExtensionTurn, extension: Extension): ShownExtension {
    const { session, since } = turn;
    const global: JsonObject[] = accountData.since(session.userId, "", since).map(withoutStream);
    if (since === 0 && !global.some(({ type }) => type === "m.push_rules"))
      global.push({ type: "m.push_rules", content: pushRules.asAccountData(session.userId) });
    const rooms = makeDictionary<JsonObject[]>();
    for (const { room, since: sent } of inScope(turn, extension)) {
      const data = accountData.since(session.userId, room.id, sent).map(withoutStream);
      if (data.length > 0) rooms[room.id] = data;
    }
    return { answer: { global, rooms }, isEmpty: global.length + Object.keys(rooms).length === 0 };
  }

  function showReceipts(turn: ExtensionTurn, extension: Extension): ShownExtension {
    const rooms = makeDictionary<JsonObject>();
    for (const { room, isJoined, since } of inScope(turn, extension)) {
      if (!isJoined || receipts.changedAt(room) <= since) continue;
      const [content] = makeReceiptContents(receipts.since(room, since), turn.session.userId);
      if (content) rooms[room.id] = { type: "m.receipt", content };
    }
    return { answer: { rooms }, isEmpty: Object.keys(rooms).length === 0 };
  }

  function showTyping(turn: ExtensionTurn, extension: Extension): ShownExtension {
    const rooms = makeDictionary<JsonObject>();
    for (const { room, isJoined, since } of inScope(turn, extension)) {
      const { userIds, changedAt } = typing.in(room);
      if (!isJoined || changedAt <= since || (since === 0 && userIds.length === 0)) continue;
      rooms[room.id] = { type: "m.typing", content: { user_ids: userIds } };
    }
    return { answer: { rooms }, isEmpty: Object.keys(rooms).length === 0 };
  }

  return {
    show(turn) {
      const { wanted } = turn;
      const shown: Record<string, ShownExtension> = {};
      if (wanted.toDevice) shown.to_device = showMessages(turn, wanted.toDevice);
      if (wanted.e2ee) shown.e2ee = showKeys(turn);
      if (wanted.accountData) shown.account_data = showAccountData(turn, wanted.accountData);
      if (wanted.receipts) shown.receipts = showReceipts(turn, wanted.receipts);
      if (wanted.typing) shown.typing = showTyping(turn, wanted.typing);
      return {
        answer: Object.fromEntries(Object.entries(shown).map(([name, { answer }]) => [name, answer])),
        isEmpty: Object.values(shown).every(({ isEmpty }) => isEmpty),
      };
    },
  };
}

function inScope({ rooms }: ExtensionTurn, { lists, rooms: ids }: Extension): ExtensionRoom[] {
  const isIn = (wanted: readonly string[] | undefined, name: string): boolean =>
    wanted === undefined || wanted.includes("*") || wanted.includes(name);
  return rooms.filter(
    ({ room, lists: names, isSubscribed }) =>
      names.some((name) => isIn(lists, name)) || (isSubscribed && isIn(ids, room.id)),
  );
}

function withoutStream({ type, content }: { type: string; content: JsonObject }): JsonObject {
  return { type, content };
}
