import type { Ledger } from "./ledger.ts";

/** What of the rooms is to be struck out. */
export interface Telling {
  /** Whatever matches. */
  pattern: RegExp | undefined;
  /** These, by id. */
  events: readonly string[];
  /** Whatever was said then. */
  span: { from: number; to: number } | undefined;
  /** Where `pattern` and `span` hold; everywhere without. */
  rooms: readonly string[] | undefined;
}

export interface ToldEvent {
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

/** These hold a room together: they say who may do what, in ids. */
const structure = new Set([
  "m.room.create",
  "m.room.power_levels",
  "m.room.join_rules",
  "m.room.history_visibility",
]);

/** Every event that tells of it, and the edits of such; a page at a time, so that others have their turn. */
export async function* findToldEvents(
  ledger: Ledger,
  telling: Telling,
  giveWay: () => Promise<void>,
): AsyncGenerator<ToldEvent[]> {
  yield* withEdits(ledger, readEvents(ledger, "e.id", telling.events));
  if (!telling.pattern && !telling.span) return;
  for (let after = 0; ; ) {
    await giveWay();
    const page = ledger.all<ToldEvent>(
      `${select} WHERE e.stream > ? ORDER BY e.stream LIMIT ${pageSize}`,
      after,
    );
    const last = page.at(-1);
    if (!last) return;
    after = last.stream;
    yield* withEdits(
      ledger,
      page.filter((event) => isTold(event, telling)),
    );
  }
}

/** An edit says the message again; whoever strikes out one strikes out both. */
function* withEdits(ledger: Ledger, told: ToldEvent[]): Generator<ToldEvent[]> {
  if (told.length === 0) return;
  const ids = told.map(({ id }) => id);
  const edits = readEvents(ledger, "e.relation = 'm.replace' AND e.parent", ids);
  yield [...told, ...edits.filter(({ id }) => !ids.includes(id))];
}

function readEvents(ledger: Ledger, column: string, ids: readonly string[]): ToldEvent[] {
  if (ids.length === 0) return [];
  return ledger.all<ToldEvent>(
    `${select} WHERE ${column} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}

function isTold(event: ToldEvent, { pattern, span, rooms }: Telling): boolean {
  if (structure.has(event.type) || (rooms && !rooms.includes(event.roomId))) return false;
  if (pattern) return pattern.test(textOf(event));
  return span !== undefined && isSaid(event) && span.from <= event.sentAt && event.sentAt <= span.to;
}

/** A user who is called as their id says is called so everywhere: that is a name, and nothing that was said. */
function textOf({ type, stateKey, content, txn }: ToldEvent): string {
  const texts = [type, content, txn ?? ""];
  if (type !== "m.room.member") texts.push(stateKey ?? "");
  else if (stateKey !== null)
    texts[1] = content.replace(JSON.stringify({ displayname: localpartOf(stateKey) }).slice(1, -1), "");
  return texts.join("\n");
}

/** Talk, and state that is none of Matrix's own: what an agent is at. */
function isSaid({ type, stateKey, isRedacted }: ToldEvent): boolean {
  if (isRedacted === 1 || type === "m.room.redaction") return false;
  return stateKey === null || !type.startsWith("m.");
}

export function localpartOf(userId: string): string {
  return userId.slice(1, userId.indexOf(":"));
}
