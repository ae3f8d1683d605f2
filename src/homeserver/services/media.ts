import { randomBytes } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { mkdirSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../shared/clock.ts";
import { refuse } from "../errors.ts";
import type { Ledger } from "./ledger.ts";

export interface MediaItem {
  id: string;
  userId: string;
  type: string | undefined;
  name: string | undefined;
  /** Undefined until it was uploaded. */
  bytes: number | undefined;
  createdAt: number;
}

/** The table `media`, and a folder with one file each. The file's name is an id of our own: nothing of the client's is a path. */
export interface Media {
  /** A place to upload to later. */
  reserve(userId: string): MediaItem;
  store(item: MediaItem, content: Buffer, type: string | undefined, name: string | undefined): Promise<void>;
  find(id: string): MediaItem | undefined;
  open(item: MediaItem): ReadStream;
  /** The file first: what is left of an attempt that was cut short can be found again. */
  remove(id: string): Promise<void>;
  /** Places that wait for their upload. */
  pending(userId: string): number;
}

const idPattern = /^[A-Za-z]{24}$/;
export const reservedForMs = 86_400_000;
const longestName = 255;

export function openMedia(ledger: Ledger, folder: string, clock: Clock): Media {
  let isMade = false;

  function makeFolder(): void {
    if (isMade) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    isMade = true;
  }

  function find(id: string): MediaItem | undefined {
    if (!idPattern.test(id)) return undefined;
    const row = ledger.get<Record<string, string | number | null>>(
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
      ledger.write("INSERT INTO media (id, user, created_at) VALUES (?, ?, ?)", id, userId, item.createdAt);
      return item;
    },
    async store(item, content, type, name) {
      if (item.bytes !== undefined) refuse("M_CANNOT_OVERWRITE_MEDIA", "This was uploaded already.");
      makeFolder();
      const path = join(folder, item.id);
      await writeFile(`${path}.part`, content, { mode: 0o600 });
      await rename(`${path}.part`, path);
      const kept = name === undefined ? undefined : cleanName(name);
      ledger.write(
        "UPDATE media SET type = ?, name = ?, bytes = ? WHERE id = ?",
        type?.slice(0, longestName),
        kept,
        content.byteLength,
        item.id,
      );
    },
    find,
    open: (item) => createReadStream(join(folder, item.id)),
    async remove(id) {
      if (!idPattern.test(id)) return;
      await rm(join(folder, id), { force: true });
      ledger.write("DELETE FROM media WHERE id = ?", id);
    },
    pending: (userId) =>
      ledger.get<{ n: number }>(
        "SELECT count(*) AS n FROM media WHERE user = ? AND bytes IS NULL AND created_at > ?",
        userId,
        clock() - reservedForMs,
      )?.n ?? 0,
  };
}

/** No folders, no control characters, nothing hidden: a name to show, never a path. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  return last
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^\.+/, "")
    .slice(0, longestName);
}
