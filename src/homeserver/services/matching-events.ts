import type { BatchedDatabase } from "./batched-database.ts";

/** Selects the events to erase. */
export interface EventSelection {
  /** Events whose text matches. */
  pattern: RegExp | undefined;
  /** Event ids. */
  events: readonly string[];
  /** Messages sent in this period. */
  span: { from: number; to: number } | undefined;
  /** Limits `pattern` and `span` to these rooms; default: all rooms. */
  rooms: readonly string[] | undefined;
}

export interface MatchingEvent {
  stream: number;
  id: string;
  roomId: string;
  type: string;
  stateKey: string | null;
  sender: string;
  sentAt: number;
  content: string;
  txn: string | null;
  isRedacted: number;
}

const select = `SELECT e.stream, e.id, r.id AS roomId, e.type, e.state_key AS stateKey, e.sender, e.sent_at AS sentAt, e.content,
  e.txn, e.redacted_by IS NOT NULL AS isRedacted FROM events e JOIN rooms r ON r.n = e.room`;
const pageSize = 500;

/** State that the room depends on. It contains only ids. */
const structure = new Set([
  "m.room.create",
  "m.room.power_levels",
  "m.room.join_rules",
  "m.room.history_visibility",
]);

/** Yields the selected events and their edits in pages, so that other requests can run in between. */
export async function* findMatchingEvents(
  db: BatchedDatabase,
  selection: EventSelection,
  yieldTurn: () => Promise<void>,
): AsyncGenerator<MatchingEvent[]> {
  yield* withEdits(db, readEvents(db, "e.id", selection.events));
  if (!selection.pattern && !selection.span) return;
  for (let after = 0; ; ) {
    await yieldTurn();
    const page = db.all<MatchingEvent>(
      `${select} WHERE e.stream > ? ORDER BY e.stream LIMIT ${pageSize}`,
      after,
    );
    const last = page.at(-1);
    if (!last) return;
    after = last.stream;
    yield* withEdits(
      db,
      page.filter((event) => isSelected(event, selection)),
    );
  }
}

/** Adds the edits of the events, because an edit repeats the text. */
function* withEdits(db: BatchedDatabase, matching: MatchingEvent[]): Generator<MatchingEvent[]> {
  if (matching.length === 0) return;
  const ids = matching.map(({ id }) => id);
  const edits = readEvents(db, "e.relation = 'm.replace' AND e.parent", ids);
  yield [...matching, ...edits.filter(({ id }) => !ids.includes(id))];
}

function readEvents(db: BatchedDatabase, column: string, ids: readonly string[]): MatchingEvent[] {
  if (ids.length === 0) return [];
  return db.all<MatchingEvent>(
    `${select} WHERE ${column} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}

function isSelected(event: MatchingEvent, { pattern, span, rooms }: EventSelection): boolean {
  if (structure.has(event.type) || (rooms && !rooms.includes(event.roomId))) return false;
  if (pattern) return pattern.test(textOf(event));
  return span !== undefined && isMessageLike(event) && span.from <= event.sentAt && event.sentAt <= span.to;
}

/** The searchable text. A display name that equals the localpart is omitted, because the user id contains it anyway. */
function textOf({ type, stateKey, content, txn }: MatchingEvent): string {
  const texts = [type, content, txn ?? ""];
  if (type !== "m.room.member") texts.push(stateKey ?? "");
  else if (stateKey !== null)
    texts[1] = content.replace(JSON.stringify({ displayname: localpartOf(stateKey) }).slice(1, -1), "");
  return texts.join("\n");
}

/** Messages, and state that is not defined by Matrix, such as an agent's status. */
function isMessageLike({ type, stateKey, isRedacted }: MatchingEvent): boolean {
  if (isRedacted === 1 || type === "m.room.redaction") return false;
  return stateKey === null || !type.startsWith("m.");
}

export function localpartOf(userId: string): string {
  return userId.slice(1, userId.indexOf(":"));
}
