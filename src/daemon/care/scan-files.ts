import { lstatSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, relative } from "node:path";

const chunkBytes = 1024 * 1024;
/** A match that a chunk's end cuts in two is seen with the next one. */
const overlap = 4_096;

/** Everything in a file that matches, each once. Whatever the file is: text, JSON, pages of a database. */
export async function findInFile(path: string, source: string): Promise<Set<string>> {
  const pattern = new RegExp(source, "giu");
  const found = new Set<string>();
  const file = await open(path, "r").catch(() => undefined); // Gone meanwhile: nothing is in it.
  if (!file) return found;
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.alloc(chunkBytes);
    let tail = "";
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      const text = tail + decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 });
      for (const [match] of text.matchAll(pattern)) found.add(match.toLowerCase());
      if (bytesRead === 0) return found;
      tail = text.slice(-overlap);
    }
  } finally {
    await file.close();
  }
}

/** The files under a folder that hold a match, relative to it. */
export async function findFilesWith({ root, source }: { root: string; source: string }): Promise<string[]> {
  const hits: string[] = [];
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const path = join(root, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    if ((await findInFile(path, source)).size > 0) hits.push(relative(root, path));
  }
  return hits.toSorted();
}
