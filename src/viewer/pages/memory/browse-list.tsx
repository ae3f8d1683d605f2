import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MemoryKind } from "../../../protocol/memory-kinds.ts";
import { deletedNotes, pendingDeletes } from "../../data/deleting.ts";
import { useKeys } from "../../data/keys.ts";
import { listen } from "../../data/live.ts";
import { type BrowseFilter, openNotePages } from "../../data/note-pages.ts";
import { splitMinWidth, useFirst } from "../../data/use-first.ts";
import { formatCount } from "../../data/format.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { FoundRow, type RowPlace } from "./note-row.tsx";

const rowHeight = 78;

interface BrowseListProps extends RowPlace {
  filter: BrowseFilter;
}

const kindNames: Record<MemoryKind, readonly [string, string]> = {
  note: ["note", "notes"],
  summary: ["summary", "summaries"],
  prompt: ["prompt", "prompts"],
  question: ["question", "questions"],
  message: ["message", "messages"],
};

/** Events that may add an item of each kind. */
const refreshEvents: Record<MemoryKind, string[]> = {
  note: ["observation.stored"],
  summary: ["summary.stored"],
  prompt: ["summary.stored", "turn.ended"],
  question: ["question.settled"],
  message: ["message.sent", "message.received"],
};

/** All items of one kind, newest first. New items appear while the top is visible; otherwise they are only counted. */
export function BrowseList({ filter, selected, query }: BrowseListProps) {
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const [fresh, setFresh] = useState(0);
  const isAtTop = useRef(true);
  const pages = useMemo(() => openNotePages(filter), [key, round]);
  const previous = useRef(pages);
  const kind = useRef<MemoryKind>("note");
  kind.current = filter.kind ?? "note";
  useEffect(() => () => pages.close(), [pages]);
  const refresh = (): void => {
    setFresh(0);
    setRound((n) => n + 1);
  };

  useEffect(
    () =>
      listen(({ type }) => {
        if (type !== "reconnected" && !refreshEvents[kind.current].includes(type)) return;
        // A list with a focused row must not move either.
        const hasFocusedRow = document.activeElement?.closest("[data-index]");
        if (isAtTop.current && !hasFocusedRow) refresh();
        else setFresh((n) => n + 1);
      }),
    [],
  );
  useKeys({ r: refresh });
  useEffect(() => {
    for (const id of deletedNotes.value) pages.remove(id);
  }, [deletedNotes.value, pages]);

  // Shows the old list until the new one has its first page, to avoid flicker.
  if (pages.total() !== undefined) previous.current = pages;
  const shown = previous.current;
  const total = shown.total();
  const first = shown.row(pendingDeletes.value.has(shown.row(0)?.id ?? "") ? 1 : 0);
  useFirst("memory", first?.kind === "note" ? first.id : undefined, splitMinWidth);
  const [one, many] = kindNames[kind.current];
  const error = pages.error();
  if (total === undefined) return <Loading error={error} />;
  if (total === 0) return <NoNotes isFiltered={Object.values(filter).some(Boolean)} />;
  return (
    <>
      <p class="list-head" aria-live="polite">
        {formatCount(total, one, many)}
        {fresh > 0 && (
          <button type="button" class="quiet" onClick={refresh}>
            {fresh} new <kbd aria-hidden="true">r</kbd>
          </button>
        )}
      </p>
      <VirtualList
        label="All notes"
        total={total}
        rowHeight={rowHeight}
        onRange={(from, to) => shown.load(from, to)}
        onTop={(isTop) => {
          isAtTop.current = isTop;
        }}
        renderRow={(index) => {
          const found = shown.row(index);
          if (!found) return <div class="row row-loading" />;
          return (
            <FoundRow
              found={found}
              isBeingDeleted={pendingDeletes.value.has(found.id)}
              place={{ selected, query }}
            />
          );
        }}
      />
    </>
  );
}

function NoNotes({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No matches for these filters">
        <p>Remove a filter or search instead.</p>
      </Empty>
    );
  return (
    <Empty title="No notes yet" isStart>
      <p>Work with your coding agent as usual: notes appear here by themselves.</p>
      <p>
        Import earlier sessions: <kbd>rookery import transcripts</kbd>
        <br />
        Add one by hand: <kbd>rookery save "text"</kbd>
      </p>
    </Empty>
  );
}
