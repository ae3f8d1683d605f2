import { useEffect, useRef, useState } from "preact/hooks";
import type { NoteView } from "../../../protocol/memory.ts";
import { call } from "../../data/api.ts";
import { showToast } from "../../data/toasts.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { noteTypes } from "../../parts/type-mark.tsx";

interface NoteEditorProps {
  note: NoteView;
  onDone(isChanged: boolean): void;
}

export function NoteEditor({ note, onDone }: NoteEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input")?.focus(), []);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const fields = new FormData(form.current as HTMLFormElement);
    const patch = Object.fromEntries(
      (["type", "title", "text"] as const)
        .map((name) => [name, fields.get(name) as string] as const)
        .filter(([name, value]) => value !== note[name]),
    );
    try {
      if (Object.keys(patch).length > 0) {
        await call("PATCH /api/notes/:id", { params: { id: note.id }, body: patch });
        showToast("Saved.");
      }
      onDone(Object.keys(patch).length > 0);
    } catch (thrown) {
      setError(thrown);
    }
  }

  return (
    <form
      ref={form}
      class="editor"
      aria-label="Edit the note"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          onDone(false);
        } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
    >
      <label>
        Title
        <input name="title" required maxLength={300} defaultValue={note.title} dir="auto" />
      </label>
      <label>
        Type
        <select name="type">
          {noteTypes.map((type) => (
            <option key={type} value={type} selected={type === note.type}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label>
        Text
        <textarea name="text" required rows={14} maxLength={100_000} defaultValue={note.text} dir="auto" />
      </label>
      {error !== undefined && <ErrorMessage error={error} />}
      <p class="actions">
        <button type="submit" class="primary">
          Save <kbd aria-hidden="true">Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={() => onDone(false)}>
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </p>
    </form>
  );
}
