import type { FolderRow } from "../../domain/memory/folder-section.ts";
import type { Store } from "../../store/open-store.ts";
import { locateCheckout } from "../identity/project.ts";

/** Older notes would not be shown anyway. */
const maxNotes = 5_000;

/** A checkout, or the folder of a project without git. */
interface Checkout {
  root: string;
  /** Whether the project contains this file, a path relative to the root. */
  contains(file: string): boolean;
}

/**
 * Current notes about the files of a checkout, by folder. Only notes of this project; those from
 * another worktree describe another state of the files and are left out. Files in the root are skipped: its `CLAUDE.md`
 * is not touched.
 */
export function collectRows(store: Store, projectId: string, checkout: Checkout): Map<string, FolderRow[]> {
  const byFolder = new Map<string, FolderRow[]>();
  const roots = new Map<string | null, string | undefined>();

  function rootOf(sessionId: string | null): string | undefined {
    if (roots.has(sessionId)) return roots.get(sessionId);
    const cwd = (sessionId && store.sessions.byId(sessionId)?.cwd) ?? null;
    const root = cwd ? locateCheckout(cwd) : undefined;
    roots.set(sessionId, root);
    return root;
  }

  for (const note of store.notes.listCurrent(projectId, maxNotes)) {
    if (note.worktree !== null && rootOf(note.sessionId) !== checkout.root) continue;
    const seen = new Set<string>();
    for (const file of [...note.filesModified, ...note.filesRead]) {
      if (!checkout.contains(file)) continue;
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
