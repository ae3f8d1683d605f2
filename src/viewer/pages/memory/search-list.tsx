import { useEffect, useState } from "preact/hooks";
import type { SearchResult } from "../../../protocol/memory.ts";
import { withQuery } from "../../data/api.ts";
import { gone, leaving } from "../../data/deleting.ts";
import { makeMarks } from "../../data/marks.ts";
import { useResource } from "../../data/resource.ts";
import { sayCount } from "../../data/words.ts";
import { Empty, Pending } from "../../parts/empty.tsx";
import { FoundRow, type RowPlace } from "./note-row.tsx";

const most = 50;
const pauseMs = 120;
/** Shorter than this, a word is looked for as it is. */
const shortest = 3;

interface SearchListProps extends RowPlace {
  filter: Record<string, string | undefined> & { q: string };
}

/** Results while one types. What was found before stays until there is something better. */
export function SearchList({ filter, selected, query }: SearchListProps) {
  const path = useSettled(withQuery("/api/search", { ...filter, typing: 1, limit: most }));
  const { data, error } = useResource<{ results: SearchResult[] }>(
    path,
    ({ type }) => type === "observation.stored" || type === "summary.stored",
  );
  if (!data) return <Pending error={error} />;
  const results = data.results.filter(({ id }) => !gone.value.has(id));
  if (results.length === 0) return <NothingFound q={filter.q} />;
  const marks = makeMarks(filter.q);
  return (
    <>
      <p class="list-head" aria-live="polite">
        {results.length === most ? `The best ${most}` : sayCount(results.length, "result")}
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
  if (q.trim().length < shortest) return <p class="list-head">Go on typing …</p>;
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

/** The value once it has stood still for a moment: not every letter is a search. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
