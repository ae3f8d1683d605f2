import { randomBytes } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, type ReadStream, renameSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "../../shared/clock.ts";
import { refuse, tooLarge, limitExceeded } from "../errors.ts";
import type { BatchedDatabase } from "./batched-database.ts";

export interface MediaItem {
  id: string;
  userId: string;
  type: string | undefined;
  name: string | undefined;
  /** Undefined until the upload is complete. */
  bytes: number | undefined;
  createdAt: number;
}

/** The table `media` and a folder with one file per item. Files are named by generated ids; no client input becomes a path. */
export interface Media {
  /** Creates an id to upload to later. */
  reserve(userId: string): MediaItem;
  /** Streams the content to disk. `M_LIMIT_EXCEEDED` while the user has too many unfinished uploads. */
  store(
    item: MediaItem,
    content: Readable,
    type: string | undefined,
    name: string | undefined,
  ): Promise<void>;
  find(id: string): MediaItem | undefined;
  open(item: MediaItem): ReadStream;
  /** Deletes the file before the row, so that an interrupted removal can be repeated. */
  remove(id: string): Promise<void>;
  /** The number of reserved ids without an upload. */
  pending(userId: string): number;
}

const idPattern = /^[A-Za-z]{24}$/;
export const reservedForMs = 86_400_000;
const maxNameLength = 255;
const maxUnfinishedPerUser = 8;
const maxUnfinished = 64;
const retryAfterMs = 1_000;

export function openMedia(db: BatchedDatabase, folder: string, clock: Clock, maxBytes: number): Media {
  let isMade = false;
  let nextPart = 0;
  /** The owner of each unfinished upload. */
  const unfinished = new Map<string, string>();

  function makeFolder(): void {
    if (isMade) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A crash leaves unfinished uploads behind.
    for (const name of readdirSync(folder))
      if (name.endsWith(".part")) rmSync(join(folder, name), { force: true });
    isMade = true;
  }

  /** Runs an upload into a temporary file, which is deleted afterwards unless it was renamed. */
  async function withPart(item: MediaItem, write: (path: string) => Promise<void>): Promise<void> {
    const path = join(folder, `${item.id}.${nextPart++}.part`);
    const own = [...unfinished.values()].filter((userId) => userId === item.userId).length;
    if (own >= maxUnfinishedPerUser || unfinished.size >= maxUnfinished) throw limitExceeded(retryAfterMs);
    unfinished.set(path, item.userId);
    try {
      await write(path);
    } finally {
      unfinished.delete(path);
      await rm(path, { force: true });
    }
  }

  function find(id: string): MediaItem | undefined {
    if (!idPattern.test(id)) return undefined;
    const row = db.get<Record<string, string | number | null>>(
      "SELECT id, user AS userId, type, name, bytes, created_at AS createdAt FROM media WHERE id = ?",
      id,
    );
    if (!row) return undefined;
    const [type, name, bytes] = [row.type ?? undefined, row.name ?? undefined, row.bytes ?? undefined];
    return { ...row, type, name, bytes } as MediaItem;
  }

  return {
    reserve(userId) {
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
      const id = Array.from(randomBytes(24), (byte) => letters[byte % letters.length]).join("");
      const item: MediaItem = {
        id,
        userId,
        type: undefined,
        name: undefined,
        bytes: undefined,
        createdAt: clock(),
      };
      db.write("INSERT INTO media (id, user, created_at) VALUES (?, ?, ?)", id, userId, item.createdAt);
      return item;
    },
    async store(item, content, type, name) {
      if (item.bytes !== undefined)
        refuse("M_CANNOT_OVERWRITE_MEDIA", "This media has already been uploaded.");
      makeFolder();
      await withPart(item, async (path) => {
        const bytes = await writeStream(content, path, maxBytes);
        if (find(item.id)?.bytes !== undefined)
          refuse("M_CANNOT_OVERWRITE_MEDIA", "This media has already been uploaded.");
        renameSync(path, join(folder, item.id));
        db.write(
          "UPDATE media SET type = ?, name = ?, bytes = ? WHERE id = ?",
          type?.slice(0, maxNameLength),
          name === undefined ? undefined : cleanName(name),
          bytes,
          item.id,
        );
      });
    },
    find,
    open: (item) => createReadStream(join(folder, item.id)),
    async remove(id) {
      if (!idPattern.test(id)) return;
      await rm(join(folder, id), { force: true });
      db.write("DELETE FROM media WHERE id = ?", id);
    },
    pending: (userId) =>
      db.get<{ n: number }>(
        "SELECT count(*) AS n FROM media WHERE user = ? AND bytes IS NULL AND created_at > ?",
        userId,
        clock() - reservedForMs,
      )?.n ?? 0,
  };
}

/** Writes with backpressure, so that little is held in memory. Returns the size. */
async function writeStream(content: Readable, path: string, maxBytes: number): Promise<number> {
  let bytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    // The stream must survive a failure: the response uses the same connection.
    for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return bytes;
}

/** A display name without folders, control characters and leading dots. Never used as a path. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  return last
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^\.+/, "")
    .slice(0, maxNameLength);
}
