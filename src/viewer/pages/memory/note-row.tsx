import type { NoteLine } from "../../../protocol/viewer.ts";
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
  /** What of the query stands in it. */
  why?: string;
  marks?: RegExp | undefined;
  isLeaving: boolean;
  place: RowPlace;
}

export function NoteRow({ id, isLeaving, place, ...text }: NoteRowProps) {
  return (
    <a
      data-row
      class={`row ${isLeaving ? "row-leaving" : ""}`}
      href={makeHash("memory", id, place.query)}
      aria-current={id === place.selected ? "true" : undefined}
    >
      <RowText {...text} />
    </a>
  );
}

interface FoundRowProps {
  found: NoteLine & { why?: string };
  marks?: RegExp | undefined;
  isLeaving: boolean;
  place: RowPlace;
}

/** Whatever kind it is: a note opens beside the list, the rest where it was said. */
export function FoundRow({ found, marks, isLeaving, place }: FoundRowProps) {
  const { kind, session, type, ...line } = found;
  if (kind === "note") return <NoteRow {...line} type={type ?? ""} {...{ marks, isLeaving, place }} />;
  const { title, snippet, project, createdAt, why } = line;
  return (
    <a data-row class="row" href={placeOf(kind, session)}>
      <RowText {...{ title, snippet, project, createdAt, marks }} type={kind} {...(why ? { why } : {})} />
    </a>
  );
}

function placeOf(kind: NoteLine["kind"], session: string | null): string {
  if (kind === "question") return makeHash("questions");
  if (kind === "message") return makeHash("rooms");
  return makeHash("sessions", session ?? undefined);
}

function RowText({
  type,
  title,
  snippet,
  project,
  createdAt,
  why,
  marks,
}: Omit<NoteRowProps, "id" | "isLeaving" | "place">) {
  return (
    <>
      <TypeMark type={type} />
      <span class="row-text">
        <Line class="row-title" text={title} marks={marks} />
        <Line class="row-snippet" text={beyondTitle(title, snippet)} marks={marks} />
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
    </>
  );
}

/** Notes often begin with what became their title: the row goes on where that ends. */
function beyondTitle(title: string, snippet: string): string {
  const start = title.replace(/…$/, "").trimEnd();
  if (!snippet.startsWith(start)) return snippet;
  const rest = snippet.slice(start.length).replace(/^[\s.:;,]+/, "");
  return rest === "" ? "" : `… ${rest}`;
}
