import type { Clock } from "../../shared/clock.ts";
import { isObject, type JsonObject, makeDictionary, ownMember } from "../json.ts";
import { toClientEvent } from "../rules/client-event.ts";
import type { StoredEvent } from "../rules/event.ts";
import type { EventLog } from "./event-log.ts";
import type { Viewer } from "./history.ts";
import type { Relations } from "./relations.ts";
import type { Room } from "./rooms.ts";
import type { Session } from "./sessions.ts";

export interface Presentation {
  withRoomId: boolean;
  fields?: string[] | undefined;
  isFederationFormat?: boolean;
}

/** Events as one reader sees them: with what refers to them bundled in, and that reader's own transaction ids. */
export interface Presenter {
  show(
    room: Room,
    events: readonly StoredEvent[],
    reader: Session,
    viewer?: Viewer,
    how?: Presentation,
  ): JsonObject[];
}

export function openPresenter(relations: Relations, log: EventLog, clock: Clock): Presenter {
  /** As servers exchange it: where it hangs in the room's graph. */
  function addGraph(room: Room, event: StoredEvent, shown: JsonObject): void {
    const before = { after: 0, upTo: event.stream - 1, direction: "b" as const, limit: 1 };
    shown.depth = event.depth;
    shown.hashes = { sha256: event.hash };
    shown.signatures = {}; // There is no other server to sign for.
    shown.prev_events = log.range(room.n, before).map(({ id }) => id);
    shown.auth_events = event.authEvents.map((stream) => log.byStream(stream)?.id).filter(Boolean);
  }

  return {
    show(room, events, reader, viewer, how = { withRoomId: true }) {
      const now = clock();
      return events.map((event) => {
        const shown = toClientEvent(event, {
          now,
          device: reader.device,
          membership: viewer?.membershipAt(event),
          relations: relations.bundle(room, event, reader.userId, now),
          withRoomId: how.withRoomId || how.isFederationFormat === true,
        });
        if (how.isFederationFormat) addGraph(room, event, shown);
        return how.fields ? pickFields(shown, how.fields) : shown;
      });
    },
  };
}

/** `content.body` and the like; `type`… a dot inside a name is written `\.`. */
function pickFields(event: JsonObject, fields: string[]): JsonObject {
  const picked: JsonObject = makeDictionary();
  for (const field of fields) {
    const path = field.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."));
    let source: unknown = event;
    for (const name of path) source = isObject(source) ? ownMember(source, name) : undefined;
    if (source === undefined) continue;
    let target = picked;
    for (const name of path.slice(0, -1)) {
      const inner = target[name];
      target = target[name] = isObject(inner) ? inner : makeDictionary();
    }
    target[path.at(-1) as string] = source;
  }
  return picked;
}
