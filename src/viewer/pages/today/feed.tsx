import { deletedNotes, pendingDeletes } from "../../data/deleting.ts";
import { useResource } from "../../data/resource.ts";
import { NoteRow } from "../memory/note-row.tsx";

/** The newest notes, live. */
export function Feed() {
  const { data } = useResource(
    "GET /api/browse",
    { query: { limit: 8 } },
    ({ type }) => type === "observation.stored",
  );
  const notes = data?.notes.filter(({ id }) => !deletedNotes.value.has(id)) ?? [];
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">New notes</h2>
      <ul class="feed" aria-live="polite" aria-relevant="additions">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteRow
              {...note}
              type={note.type ?? ""}
              isBeingDeleted={pendingDeletes.value.has(note.id)}
              place={{ selected: undefined, query: {} }}
            />
          </li>
        ))}
      </ul>
      {data && notes.length === 0 && <p class="faint">Notes appear here when a turn ends.</p>}
    </section>
  );
}
