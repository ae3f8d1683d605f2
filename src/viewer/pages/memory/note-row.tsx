import type { NoteLine } from "../../../protocol/viewer.ts";
import { stripMarkup } from "../../data/format.ts";
import { startNearMatch } from "../../data/marks.ts";
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
  /** Why it matches the query. */
  why?: string;
  marks?: RegExp | undefined;
  isBeingDeleted: boolean;
  place: RowPlace;
}

export function NoteRow({ id, isBeingDeleted, place, ...text }: NoteRowProps) {
  return (
    <a
      data-row
      class={`row ${isBeingDeleted ? "row-deleting" : ""}`}
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
  isBeingDeleted: boolean;
  place: RowPlace;
}

/** A row of any kind. A note opens beside the list; other kinds link to their own page. */
export function FoundRow({ found, marks, isBeingDeleted, place }: FoundRowProps) {
  const { kind, session, type, ...line } = found;
  if (kind === "note") return <NoteRow {...line} type={type ?? ""} {...{ marks, isBeingDeleted, place }} />;
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
}: Omit<NoteRowProps, "id" | "isBeingDeleted" | "place">) {
  return (
    <span class="row-text">
      <Line class="row-title" text={title} marks={marks} />
      <Line
        class="row-snippet"
        text={startNearMatch(removeTitle(title, stripMarkup(snippet)), marks)}
        marks={marks}
      />
      <span class="row-meta">
        <TypeMark type={type} /> <Line text={project} /> · <Age at={createdAt} />
        {why && (
          <>
            {" "}
            · <Line text={why} />
          </>
        )}
      </span>
    </span>
  );
}

/** Removes the title from the start of the snippet, where notes often repeat it. */
function removeTitle(title: string, snippet: string): string {
  const start = title.replace(/…$/, "").trimEnd();
  if (!snippet.startsWith(start)) return snippet;
  const rest = snippet.slice(start.length).replace(/^[\s.:;,]+/, "");
  return rest === "" ? "" : `… ${rest}`;
}
