import { randomFillSync } from "node:crypto";

/** Random bytes for 256 ids, to save system calls. */
const pool = Buffer.alloc(10 * 256);
let drawn = pool.length;

function takeRandom(): Uint8Array {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += 10;
  return pool.subarray(drawn - 10, drawn);
}

/** UUIDv7: sorts by time and is unique across machines, so that rows of several stores can be merged. */
export function makeId(nowMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(takeRandom(), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
