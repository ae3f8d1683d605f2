import { signal } from "@preact/signals";
import type { MemoryKind, NoteType } from "../../protocol/memory-kinds.ts";
import type { NoteLine } from "../../protocol/viewer.ts";
import { call } from "./api.ts";

export interface BrowseFilter extends Record<"project" | "file" | "from" | "to", string | undefined> {
  kind: MemoryKind | undefined;
  type: NoteType | undefined;
}

/** A list of any length that keeps only the pages near the visible rows. */
interface NotePages {
  /** Undefined until the first page is loaded. */
  total(): number | undefined;
  error(): unknown;
  /** Undefined while it is loading. */
  row(index: number): NoteLine | undefined;
  /** Loads the missing pages between these rows. */
  load(from: number, to: number): void;
  remove(id: string): void;
  close(): void;
}

const pageSize = 100;
const maxPages = 30;

/** A snapshot: notes newer than its first row are not included. */
export function openNotePages(filter: BrowseFilter): NotePages {
  const changed = signal(0);
  const pages = new Map<number, NoteLine[] | "loading">();
  const controller = new AbortController();
  let total: number | undefined;
  let anchor: string | undefined;
  let failure: unknown;

  async function fetchPage(page: number): Promise<void> {
    if (!pages.has(page)) pages.set(page, "loading");
    try {
      const query = { ...filter, until: anchor, skip: page * pageSize, limit: pageSize };
      const view = await call("GET /api/browse", { query }, { signal: controller.signal });
      pages.set(page, view.notes);
      if (view.total !== undefined) {
        total = view.total;
        anchor = view.notes[0]?.id;
      }
      dropFarFrom(page);
    } catch (error) {
      pages.delete(page);
      failure = error;
    }
    if (!controller.signal.aborted) changed.value++;
  }

  function dropFarFrom(page: number): void {
    if (pages.size <= maxPages) return;
    const farthest = [...pages.keys()].toSorted((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const far of farthest.slice(0, pages.size - maxPages)) pages.delete(far);
  }

  void fetchPage(0);
  return {
    total() {
      void changed.value;
      return total;
    },
    error() {
      void changed.value;
      return failure;
    },
    row(index) {
      const page = pages.get(Math.floor(index / pageSize));
      return page === "loading" ? undefined : page?.[index % pageSize];
    },
    load(from, to) {
      if (anchor === undefined) return;
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page++)
        if (!pages.has(page)) void fetchPage(page);
    },
    remove(id) {
      for (const [page, rows] of pages) {
        if (rows === "loading" || !rows.some((row) => row.id === id)) continue;
        // Later rows move up by one; their pages are fetched again when visible.
        for (const other of pages.keys()) if (other > page) pages.delete(other);
        pages.set(
          page,
          rows.filter((row) => row.id !== id),
        );
        total = (total ?? 1) - 1;
        void fetchPage(page);
        changed.value++;
        return;
      }
    },
    close: () => controller.abort(),
  };
}
