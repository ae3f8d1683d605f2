import { useEffect, useState } from "preact/hooks";
import { gone, leaving } from "../../data/deleting.ts";
import type { BrowseFilter } from "../../data/note-pages.ts";
import { makeMarks } from "../../data/marks.ts";
import { useResource } from "../../data/resource.ts";
import { sayCount } from "../../data/words.ts";
import { Empty, Pending } from "../../parts/empty.tsx";
import { FoundRow, type RowPlace } from "./note-row.tsx";

const limit = 50;
const pauseMs = 120;
/** A shorter word matches only as a whole. */
const minLetters = 3;

interface SearchListProps extends RowPlace {
  filter: BrowseFilter & { q: string };
}

/** Results while one types. What was found before stays until there is something better. */
export function SearchList({ filter, selected, query }: SearchListProps) {
  const settled = useSettled(filter);
  const { data, error } = useResource(
    "GET /api/search",
    { query: { ...settled, typing: "1", limit } },
    ({ type }) => type === "observation.stored" || type === "summary.stored",
  );
  if (!data) return <Pending error={error} />;
  const results = data.results.filter(({ id }) => !gone.value.has(id));
  if (results.length === 0) return <NothingFound q={filter.q} />;
  const marks = makeMarks(filter.q);
  return (
    <>
      <p class="list-head" aria-live="polite">
        {results.length === limit ? `The best ${limit}` : sayCount(results.length, "result")}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Results">
        <ul class="results">
          {results.map((result) => (
            <li key={`${result.kind} ${result.id}`}>
              <FoundRow
                found={result}
                marks={marks}
                isLeaving={leaving.value.has(result.id)}
                place={{ selected, query }}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function NothingFound({ q }: { q: string }) {
  if (q.trim().length < minLetters) return <p class="list-head">Go on typing …</p>;
  return (
    <Empty title="Nothing found">
      <p>
        Words may stand in any order, and the last one may still be a beginning; "quotation marks" ask for a
        phrase, -word leaves one out.
      </p>
      <p>Filters hold, too: take one away.</p>
    </Empty>
  );
}

/** The value once it has not changed for a moment: not every letter starts a search. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}
