import type { ObservationView, TimelineView } from "../../../protocol/memory.ts";
import { gone } from "../../data/deleting.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { sayMoment } from "../../data/words.ts";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

/** What was noted in the project just before and just after. */
export function NoteTimeline({ id }: { id: string }) {
  const { data } = useResource<TimelineView>(`/api/timeline?limit=4&around=${encodeURIComponent(id)}`);
  if (!data) return null;
  const isThere = (note: ObservationView): boolean => !gone.value.has(note.id);
  const notes = [...data.before.filter(isThere), data.at, ...data.after.filter(isThere)];
  return (
    <section class="panel">
      <h3>Around it</h3>
      <ol class="timeline">
        {notes.map(({ id: noteId, type, title, createdAt }) => (
          <li key={noteId}>
            <a href={makeHash("memory", noteId)} aria-current={noteId === data.around ? "true" : undefined}>
              <TypeMark type={type} />
              <span>
                <Line text={title} />
                <span class="faint"> {sayMoment(createdAt)}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
