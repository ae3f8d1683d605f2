/** A longer list or object is written in parts. */
const manyMembers = 100;
/** In a sync: the answer, `rooms`, `join`, the room, `timeline`, `events`. */
const maxLevels = 6;

/** Whether serialising an answer at once might block other requests for long. */
export function isLarge(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== "object" || value === null || levels === 0) return false;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length > manyMembers || members.some((member) => isLarge(member, levels - 1));
}

/** The same bytes as `JSON.stringify`, with pauses between the members of large lists and objects. */
export async function stringifyInParts(
  value: unknown,
  pause: () => Promise<void> | undefined,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let text = "";
  for (const piece of listPieces(value, maxLevels)) {
    text += piece;
    const pausing = pause();
    if (!pausing) continue;
    parts.push(Buffer.from(text));
    text = "";
    await pausing;
  }
  parts.push(Buffer.from(text));
  return parts;
}

function* listPieces(value: unknown, levels: number): Generator<string> {
  if (!isLarge(value, levels)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value as object)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* listPieces(member ?? null, levels - 1);
    separator = ",";
  }
  yield isList ? "]" : "}";
}
