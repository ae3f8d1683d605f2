import { useEffect, useState } from "preact/hooks";
import type { SearchResult } from "../../../protocol/memory.ts";
import { withQuery } from "../../data/api.ts";
import { gone, leaving } from "../../data/deleting.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { sayCount } from "../../data/words.ts";
import { Empty, Trouble, Waiting } from "../../parts/empty.tsx";
import { Age, Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";
import { NoteRow, type RowPlace } from "./note-row.tsx";

const most = 50;
const pauseMs = 120;

interface SearchListProps extends RowPlace {
  filter: Record<string, string | undefined>;
}

/** Results while one types. What was found before stays until there is something better. */
export function SearchList({ filter, selected, query }: SearchListProps) {
  const path = useSettled(withQuery("/api/search", { ...filter, limit: most }));
  const { data, error } = useResource<{ results: SearchResult[] }>(
    path,
    ({ type }) => type === "observation.stored" || type === "summary.stored",
  );
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Waiting />;
  const results = data.results.filter(({ id }) => !gone.value.has(id));
  if (results.length === 0)
    return (
      <Empty title="Nothing found">
        <p>
          Words are looked for whole, in any order; "quotation marks" ask for a phrase, -word leaves one out.
        </p>
      </Empty>
    );
  return (
    <>
      <p class="list-head" aria-live="polite">
        {results.length === most ? `The best ${most}` : sayCount(results.length, "result")}
      </p>
      <ul class="results">
        {results.map((result) => (
          <li key={result.id}>
            {result.kind === "observation" ? (
              <NoteRow
                {...result}
                type={result.type ?? ""}
                isLeaving={leaving.value.has(result.id)}
                place={{ selected, query }}
              />
            ) : (
              <SessionRow result={result} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A prompt or a summary: it is read where it was said. */
function SessionRow({
  result: { kind, title, snippet, project, createdAt, session, why },
}: {
  result: SearchResult;
}) {
  return (
    <a data-row class="row" href={makeHash("sessions", session ?? undefined)}>
      <TypeMark type={kind} />
      <span class="row-text">
        <Line class="row-title" text={title} />
        <Line class="row-snippet" text={snippet} />
        <span class="row-meta">
          {kind} · <Line text={project} /> · <Age at={createdAt} /> · <Line text={why} />
        </span>
      </span>
    </a>
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
