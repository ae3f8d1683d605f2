import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { deleteWithUndo, pendingDeletes } from "../../data/deleting.ts";
import { useKeys } from "../../data/keys.ts";
import type { NoteView } from "../../../protocol/memory.ts";
import { useResource } from "../../data/resource.ts";
import { go, makeHash, route } from "../../data/route.ts";
import { showError } from "../../data/toasts.ts";
import { formatCount, formatDateTime } from "../../data/format.ts";
import { Loading } from "../../parts/empty.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";
import { NoteEditor } from "./note-editor.tsx";
import { NoteSources } from "./note-sources.tsx";
import { SupersedeLinks, SuccessorPicker, supersede } from "./note-supersede.tsx";
import { NoteTimeline } from "./note-timeline.tsx";

/** A note in full, with its sources, its uses and its neighbours in time. */
export function NoteDetail({ id }: { id: string }) {
  const { data: note, error, reload } = useResource("GET /api/notes/:id", { params: { id } });
  const [isEditing, setEditing] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const canBeReplaced = note?.supersededBy === null;
  const remove = (): void => {
    if (!note) return;
    deleteWithUndo(note.id, note.title);
    go("memory", undefined, route.value.query);
  };
  const togglePin = (): void => {
    if (note) void setPinned(note, note.pinnedAt === null, reload).catch(showError);
  };
  const keys = { e: () => setEditing(true), p: togglePin, "#": remove, Delete: remove };
  const more: Record<string, () => void> = canBeReplaced ? { s: () => setPicking(true) } : {};
  useKeys(note ? { ...keys, ...more } : {}, [note]);

  if (error || !note) return <Loading error={error} />;
  if (isEditing)
    return (
      <NoteEditor
        note={note}
        onDone={(isChanged) => {
          setEditing(false);
          if (isChanged) reload();
        }}
      />
    );
  return (
    <article class="note with-side">
      <div>
        <BackLink />
        <h2>
          <Line text={note.title} />
        </h2>
        <p class="faint">
          <TypeMark type={note.type} /> <Line text={note.project} />
          {note.worktree && (
            <>
              {" "}
              · <Line text={note.worktree} />
            </>
          )}{" "}
          · {formatDateTime(note.createdAt)} · about {formatCount(note.tokens, "token")} ·{" "}
          {describeOrigin(note.provenance)}
          {note.hostLabel && ` · ${note.hostLabel}`}
        </p>
        {note.pinnedAt !== null && <p class="faint">Pinned: always first in the context of a session.</p>}
        {pendingDeletes.value.has(note.id) && <p class="trouble">This note is being deleted. Undo with u.</p>}
        <SupersedeLinks note={note} onRestore={() => void supersede(note, null, reload).catch(showError)} />
        <Markdown text={note.text} />
        {note.facts.length > 0 && (
          <ul class="facts">
            {note.facts.map((fact) => (
              <li key={fact}>
                <Line text={fact} />
              </li>
            ))}
          </ul>
        )}
        <Chips label="Files" items={[...new Set([...note.filesModified, ...note.filesRead])]} filter="file" />
        <Chips label="Concepts" items={note.concepts} filter="q" />
        <p class="actions">
          <button type="button" onClick={() => setEditing(true)}>
            Edit <kbd aria-hidden="true">e</kbd>
          </button>
          <button type="button" aria-pressed={note.pinnedAt !== null} onClick={togglePin}>
            {note.pinnedAt === null ? "Pin" : "Unpin"} <kbd aria-hidden="true">p</kbd>
          </button>
          {canBeReplaced && (
            <button type="button" onClick={() => setPicking(true)}>
              Supersede <kbd aria-hidden="true">s</kbd>
            </button>
          )}
          <button type="button" class="danger" onClick={remove}>
            Delete <kbd aria-hidden="true">#</kbd>
          </button>
          {note.session && (
            <a class="button" href={makeHash("sessions", note.session)}>
              Open session
            </a>
          )}
        </p>
        {isPicking && <SuccessorPicker note={note} onChanged={reload} onDone={() => setPicking(false)} />}
      </div>
      <div class="side">
        <NoteSources id={note.id} />
        <NoteTimeline id={note.id} />
      </div>
    </article>
  );
}

const origins: Record<string, string> = {
  distil: "extracted automatically",
  model: "extracted by a model",
  answer: "from your answer",
  commit: "from a commit message",
  manual: "saved by hand",
};

function describeOrigin(provenance: string): string {
  return origins[provenance] ?? `from ${provenance}`;
}

async function setPinned(note: NoteView, isPinned: boolean, onChanged: () => void): Promise<void> {
  await call("PATCH /api/notes/:id", { params: { id: note.id }, body: { pinned: isPinned } });
  onChanged();
}

function BackLink() {
  return (
    <a class="back" href={makeHash("memory", undefined, route.value.query)}>
      ← All notes
    </a>
  );
}

const maxChips = 24;

function Chips({ label, items, filter }: { label: string; items: string[]; filter: "file" | "q" }) {
  if (items.length === 0) return null;
  return (
    <div class="chips">
      <h3>{label}</h3>
      <ul>
        {items.slice(0, maxChips).map((item) => (
          <li key={item}>
            <a class="chip" href={makeHash("memory", undefined, { [filter]: item })}>
              <Line text={item} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
