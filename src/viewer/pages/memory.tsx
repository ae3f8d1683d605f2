import { route } from "../data/route.ts";
import { Split } from "../parts/split.tsx";
import { BrowseList } from "./memory/browse-list.tsx";
import { Filters, readFilter } from "./memory/filters.tsx";
import { NoteDetail } from "./memory/note-detail.tsx";
import { SearchList } from "./memory/search-list.tsx";

/** Search, read and edit everything in memory. */
export function Memory() {
  const { id, query } = route.value;
  const filter = readFilter(query);
  const { q } = query;
  return (
    <Split
      title="Memory"
      listName="Notes"
      detailName="Note"
      isOpen={id !== undefined}
      list={
        <>
          <Filters id={id} query={query} />
          {q?.trim() ? (
            <SearchList filter={{ ...filter, q }} selected={id} query={query} />
          ) : (
            <BrowseList filter={filter} selected={id} query={query} />
          )}
        </>
      }
      detail={id === undefined ? <Hint /> : <NoteDetail key={id} id={id} />}
    />
  );
}

function Hint() {
  return (
    <div class="hint">
      <p>Pick a note to see its text, its sources and where it was used.</p>
      <p>
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>/</kbd> searches.
      </p>
    </div>
  );
}
