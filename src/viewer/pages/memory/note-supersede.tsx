import { useEffect, useRef, useState } from "preact/hooks";
import type { NoteView } from "../../../protocol/memory.ts";
import { call } from "../../data/api.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { showError, showToast } from "../../data/toasts.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

/** Marks a note as superseded; null restores it. Both can be undone from the toast. */
export async function supersede(note: NoteView, by: string | null, onChanged: () => void): Promise<void> {
  const set = async (next: string | null): Promise<void> => {
    await call("PATCH /api/notes/:id", { params: { id: note.id }, body: { supersededBy: next } });
    onChanged();
  };
  await set(by);
  showToast(by === null ? "Note restored." : "Note superseded.", {
    undo: () => void set(note.supersededBy).catch(showError),
  });
}

/** Links to the note that supersedes this one, and to those it supersedes. */
export function SupersedeLinks({ note, onRestore }: { note: NoteView; onRestore(): void }) {
  return (
    <>
      {note.supersededBy && (
        <p class="superseded">
          Superseded by <a href={makeHash("memory", note.supersededBy)}>a newer note</a>
          {note.supersededBecause && (
            <>
              {" "}
              (<Line text={note.supersededBecause} />)
            </>
          )}
          .{" "}
          <button type="button" class="quiet" onClick={onRestore}>
            Restore
          </button>
        </p>
      )}
      {note.supersedes.length > 0 && (
        <p class="faint">
          Supersedes{" "}
          {note.supersedes.map((id, index) => (
            <a key={id} href={makeHash("memory", id)}>
              {index === 0 ? "an older note" : "and another"}{" "}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

interface SuccessorPickerProps {
  note: NoteView;
  /** Called after every change, including undo. */
  onChanged(): void;
  onDone(): void;
}

/** A search for the newer note. */
export function SuccessorPicker({ note, onChanged, onDone }: SuccessorPickerProps) {
  const [words, setWords] = useState(note.title);
  const [error, setError] = useState<unknown>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const { data } = useResource("GET /api/search", {
    query: { q: words, typing: "1", project: note.project, kind: "note", limit: 8 },
  });
  const choose = (by: string): void => {
    supersede(note, by, onChanged).then(onDone, setError);
  };
  return (
    <div
      class="panel"
      role="group"
      aria-label="Superseding note"
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <label class="picker">
        Which note replaces this one?
        <input ref={input} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </label>
      {error !== undefined && <ErrorMessage error={error} />}
      <ul class="results">
        {data?.results
          .filter(({ id }) => id !== note.id)
          .map(({ id, type, title }) => (
            <li key={id}>
              <button type="button" class="quiet successor" onClick={() => choose(id)}>
                <TypeMark type={type ?? ""} /> <Line text={title} />
              </button>
            </li>
          ))}
      </ul>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    </div>
  );
}
