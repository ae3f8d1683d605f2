import { makeHash } from "../../data/route.ts";
import { Age, Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

export interface RowPlace {
  selected: string | undefined;
  query: Record<string, string>;
}

interface NoteRowProps {
  id: string;
  type: string;
  title: string;
  snippet: string;
  project: string;
  createdAt: number;
  tokens?: number;
  /** What of the query stands in it. */
  why?: string;
  isLeaving: boolean;
  place: RowPlace;
}

export function NoteRow({
  id,
  type,
  title,
  snippet,
  project,
  createdAt,
  why,
  isLeaving,
  place,
}: NoteRowProps) {
  return (
    <a
      data-row
      class={`row ${isLeaving ? "row-leaving" : ""}`}
      href={makeHash("memory", id, place.query)}
      aria-current={id === place.selected ? "true" : undefined}
    >
      <TypeMark type={type} />
      <span class="row-text">
        <Line class="row-title" text={title} />
        <Line class="row-snippet" text={beyondTitle(title, snippet)} />
        <span class="row-meta">
          <Line text={project} /> · <Age at={createdAt} />
          {why && (
            <>
              {" "}
              · <Line text={why} />
            </>
          )}
        </span>
      </span>
    </a>
  );
}

/** Notes often begin with what became their title: the row goes on where that ends. */
function beyondTitle(title: string, snippet: string): string {
  const start = title.replace(/…$/, "").trimEnd();
  if (!snippet.startsWith(start)) return snippet;
  const rest = snippet.slice(start.length).replace(/^[\s.:;,]+/, "");
  return rest === "" ? "" : `… ${rest}`;
}
