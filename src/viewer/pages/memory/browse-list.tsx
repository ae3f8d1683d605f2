import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MemoryKind } from "../../../protocol/memory.ts";
import { gone, leaving } from "../../data/deleting.ts";
import { useKeys } from "../../data/keys.ts";
import { listen } from "../../data/live.ts";
import { type BrowseFilter, openNotePages } from "../../data/note-pages.ts";
import { sayCount } from "../../data/words.ts";
import { Empty, Pending } from "../../parts/empty.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { FoundRow, type RowPlace } from "./note-row.tsx";

export const rowHeight = 78;

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

/** The events after which there may be more of a kind. */
const news: Record<MemoryKind, string[]> = {
  note: ["observation.stored"],
  summary: ["summary.stored"],
  prompt: ["summary.stored", "turn.ended"],
  question: ["question.settled"],
  message: ["message.sent", "message.received"],
};

/** Every note, or whatever kind is asked for, newest first. At its top it takes in what is new; further down it stands still and says so. */
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
        if (type !== "caught-up" && !news[kind.current].includes(type)) return;
        // Nor does it move under whoever walks through it by keys.
        const isWalked = document.activeElement?.closest("[data-index]");
        if (isAtTop.current && !isWalked) refresh();
        else setFresh((n) => n + 1);
      }),
    [],
  );
  useKeys({ r: refresh });
  useEffect(() => {
    for (const id of gone.value) pages.remove(id);
  }, [gone.value, pages]);

  // Until the new list has its first page the old one stays in sight: no blinking.
  if (pages.total() !== undefined) previous.current = pages;
  const shown = previous.current;
  const total = shown.total();
  const [one, many] = kindNames[kind.current];
  const error = pages.error();
  if (total === undefined) return <Pending error={error} />;
  if (total === 0) return <NothingYet isFiltered={Object.values(filter).some(Boolean)} />;
  return (
    <>
      <p class="list-head" aria-live="polite">
        {sayCount(total, one, many)}
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
        onRange={(from, to) => shown.want(from, to)}
        onTop={(isTop) => {
          isAtTop.current = isTop;
        }}
        renderRow={(index) => {
          const found = shown.row(index);
          if (!found) return <div class="row row-coming" />;
          return (
            <FoundRow found={found} isLeaving={leaving.value.has(found.id)} place={{ selected, query }} />
          );
        }}
      />
    </>
  );
}

function NothingYet({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="Nothing fits these filters">
        <p>Take one away, or search for words.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing remembered yet">
      <p>Open a Claude Code session and work as always: what is worth keeping shows up here, by itself.</p>
      <p>
        Sessions from before: <kbd>rookery import transcripts</kbd>
        <br />
        By hand: <kbd>rookery save "text"</kbd>
      </p>
    </Empty>
  );
}
