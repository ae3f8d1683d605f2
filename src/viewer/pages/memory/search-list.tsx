import { deletedNotes, pendingDeletes } from "../../data/deleting.ts";
import type { BrowseFilter } from "../../data/note-pages.ts";
import { makeMarks } from "../../data/marks.ts";
import { useResource } from "../../data/resource.ts";
import { useSettled } from "../../data/use-settled.ts";
import { splitMinWidth, useFirst } from "../../data/use-first.ts";
import { formatCount } from "../../data/format.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { FoundRow, type RowPlace } from "./note-row.tsx";

const limit = 50;
/** Shorter queries only match whole words. */
const minLetters = 3;

interface SearchListProps extends RowPlace {
  filter: BrowseFilter & { q: string };
}

/** Results as you type. Old results stay until new ones arrive. */
export function SearchList({ filter, selected, query }: SearchListProps) {
  const settled = useSettled(filter);
  const { data, error } = useResource(
    "GET /api/search",
    { query: { ...settled, typing: "1", limit } },
    ({ type }) => type === "observation.stored" || type === "summary.stored",
  );
  const results = data?.results.filter(({ id }) => !deletedNotes.value.has(id));
  const first = results?.find(({ id, kind }) => kind === "note" && !pendingDeletes.value.has(id));
  useFirst("memory", first?.id, splitMinWidth);
  if (!results) return <Loading error={error} />;
  if (results.length === 0) return <NoResults q={filter.q} />;
  const marks = makeMarks(filter.q);
  return (
    <>
      <p class="list-head" aria-live="polite">
        {results.length === limit ? `Top ${limit}` : formatCount(results.length, "result")}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Results">
        <ul class="results">
          {results.map((result) => (
            <li key={`${result.kind} ${result.id}`}>
              <FoundRow
                found={result}
                marks={marks}
                isBeingDeleted={pendingDeletes.value.has(result.id)}
                place={{ selected, query }}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function NoResults({ q }: { q: string }) {
  if (q.trim().length < minLetters) return <p class="list-head">Keep typing …</p>;
  return (
    <Empty title="No results">
      <p>
        Words can be in any order, and the last one can be incomplete. "Quotation marks" match a phrase, -word
        excludes a word.
      </p>
      <p>Filters apply as well: try removing one.</p>
    </Empty>
  );
}
