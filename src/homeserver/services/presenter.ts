import type { Clock } from "../../shared/clock.ts";
import { isObject, type JsonObject, makeDictionary } from "../json.ts";
import { toClientEvent } from "../rules/client-event.ts";
import type { StoredEvent } from "../rules/event.ts";
import type { EventLog } from "./event-log.ts";
import type { Viewer } from "./history.ts";
import type { Relations } from "./relations.ts";
import type { Room } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import { getOwn } from "../../shared/json.ts";

interface Presentation {
  withRoomId: boolean;
  fields?: string[] | undefined;
  isFederationFormat?: boolean;
}

/** Renders events for a reader, with bundled relations and the reader's own transaction ids. */
export interface Presenter {
  show(
    room: Room,
    events: readonly StoredEvent[],
    reader: Session,
    viewer?: Viewer,
    format?: Presentation,
  ): JsonObject[];
}

export function openPresenter(relations: Relations, log: EventLog, clock: Clock): Presenter {
  /** Adds the fields of the federation format: depth, hashes and graph references. */
  function addGraph(room: Room, event: StoredEvent, shown: JsonObject): void {
    const before = { after: 0, upTo: event.stream - 1, direction: "b" as const, limit: 1 };
    shown.depth = event.depth;
    shown.hashes = { sha256: event.hash };
    shown.signatures = {}; // Without federation, events are not signed.
    shown.prev_events = log.range(room.n, before).map(({ id }) => id);
    shown.auth_events = event.authEvents.map((stream) => log.byStream(stream)?.id).filter(Boolean);
  }

  return {
    show(room, events, reader, viewer, format = { withRoomId: true }) {
      const now = clock();
      return events.map((event) => {
        const shown = toClientEvent(event, {
          now,
          device: reader.device,
          membership: viewer?.membershipAt(event),
          relations: relations.bundle(room, event, reader.userId, now),
          withRoomId: format.withRoomId || format.isFederationFormat === true,
        });
        if (format.isFederationFormat) addGraph(room, event, shown);
        return format.fields ? pickFields(shown, format.fields) : shown;
      });
    },
  };
}

/** Keeps the given fields, such as `type` or `content.body`. A dot inside a name is written `\.`. */
function pickFields(event: JsonObject, fields: string[]): JsonObject {
  const picked: JsonObject = makeDictionary();
  for (const field of fields) {
    const path = field.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."));
    let source: unknown = event;
    for (const name of path) source = isObject(source) ? getOwn(source, name) : undefined;
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
