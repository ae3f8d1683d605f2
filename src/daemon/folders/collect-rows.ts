import { isAbsolute, join, relative, sep } from "node:path";
import type { FolderRow } from "../../domain/memory/folder-section.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";
import { locateCheckout } from "./checkout.ts";

/** Older ones would not be shown anyway. */
const mostNotes = 5_000;

export interface Checkout {
  root: string;
  tracked: ReadonlySet<string>;
}

/**
 * What holds about the files that git keeps in a checkout, by folder. Of this project only; what was noted in another
 * worktree speaks of another state of the files and is left out. Files of the root are nobody's: its `CLAUDE.md` is not touched.
 */
export function collectRows(store: Store, projectId: string, checkout: Checkout): Map<string, FolderRow[]> {
  const byFolder = new Map<string, FolderRow[]>();
  const places = new Map<string, { cwd: string | null; root: string | undefined }>();

  function placeOf(sessionId: string | null): { cwd: string | null; root: string | undefined } {
    const known = places.get(sessionId ?? "");
    if (known) return known;
    const cwd = (sessionId && store.sessions.byId(sessionId)?.cwd) ?? null;
    const place = { cwd, root: cwd ? locateCheckout(cwd) : undefined };
    places.set(sessionId ?? "", place);
    return place;
  }

  for (const note of store.observations.current(projectId, mostNotes)) {
    const place = placeOf(note.sessionId);
    if (note.worktree !== null && place.root !== checkout.root) continue;
    const seen = new Set<string>();
    for (const file of listFiles(note, place, checkout)) {
      const slash = file.lastIndexOf("/");
      const folder = file.slice(0, Math.max(slash, 0));
      if (folder === "" || seen.has(folder) || file.endsWith("/CLAUDE.md")) continue;
      seen.add(folder);
      const { id, type, title, createdAt } = note;
      const rows = byFolder.get(folder) ?? [];
      byFolder.set(folder, rows);
      rows.push({ id, type, title, createdAt, file: file.slice(slash + 1) });
    }
  }
  return byFolder;
}

/** Its files as git names them: they were noted relative to where the session stood. */
function listFiles(
  { filesModified, filesRead }: Observation,
  { cwd, root }: { cwd: string | null; root: string | undefined },
  { tracked }: Checkout,
): string[] {
  return [...filesModified, ...filesRead].flatMap((file) => {
    const fromRoot =
      root === undefined ? file : relative(root, isAbsolute(file) ? file : join(cwd ?? root, file));
    const name = fromRoot.split(sep).join("/");
    if (tracked.has(name)) return [name];
    return tracked.has(file) ? [file] : [];
  });
}
