import { useState } from "preact/hooks";
import type { NoteView } from "../../../protocol/memory.ts";
import { deletedNotes } from "../../data/deleting.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { formatDateTime } from "../../data/format.ts";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

const [few, many] = [4, 25];

/** Notes of the same project shortly before and after. */
export function NoteTimeline({ id }: { id: string }) {
  const [limit, setLimit] = useState(few);
  const { data } = useResource("GET /api/timeline", { query: { around: id, limit } });
  if (!data) return null;
  const isThere = (note: NoteView): boolean => !deletedNotes.value.has(note.id);
  const notes = [...data.before.filter(isThere), data.at, ...data.after.filter(isThere)];
  return (
    <section class="panel">
      <h3>Timeline</h3>
      {data.chain.length > 1 && <Chain chain={data.chain} />}
      <ol class="timeline">
        {notes.map(({ id: noteId, type, title, createdAt }) => (
          <li key={noteId}>
            <a href={makeHash("memory", noteId)} aria-current={noteId === data.around ? "true" : undefined}>
              <TypeMark type={type ?? data.at.kind} />{" "}
              <span>
                <Line text={title} />
                <span class="faint"> {formatDateTime(createdAt)}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
      {limit === few && data.before.length + data.after.length >= few && (
        <button type="button" class="quiet" onClick={() => setLimit(many)}>
          Show more
        </button>
      )}
    </section>
  );
}

/** The chain of superseded notes, oldest first. */
function Chain({ chain }: { chain: NoteView[] }) {
  return (
    <p class="faint">
      {chain.map(({ id, title }, index) => (
        <span key={id}>
          {index > 0 && " → "}
          <a href={makeHash("memory", id)}>
            <Line text={title} />
          </a>
        </span>
      ))}
    </p>
  );
}
