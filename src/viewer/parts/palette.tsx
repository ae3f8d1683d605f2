import { useEffect, useRef, useState } from "preact/hooks";
import { isPaletteOpen } from "../data/keys.ts";
import { matchItems, type PaletteItem } from "../data/match-items.ts";
import { listCommands, loadItems, searchNotes } from "../data/palette.ts";
import { pageNames } from "./shell.tsx";
import { Line } from "./text.tsx";

/** Ctrl-K: finds notes, sessions, rooms, settings and commands by words. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isPaletteOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="palette" aria-label="Find" onClose={close} onClick={closeOutside}>
      {isOpen && <Finder />}
    </dialog>
  );
}

function close(): void {
  isPaletteOpen.value = false;
}

/** A click on the backdrop has the dialog itself as its target. */
function closeOutside(event: MouseEvent): void {
  if (event.target === event.currentTarget) close();
}

const searchAfterMs = 150;
const minLetters = 2;

function Finder() {
  const [query, setQuery] = useState("");
  const [items, setItems] = useState<PaletteItem[]>([]);
  const [notes, setNotes] = useState<PaletteItem[]>([]);
  const [selected, setSelected] = useState(0);
  useEffect(() => void loadItems().then(setItems), []);
  useEffect(() => {
    const words = query.trim();
    setSelected(0);
    if (words.length < minLetters) {
      setNotes([]);
      return undefined;
    }
    const controller = new AbortController();
    const search = (): void =>
      // A failed search leaves the other kinds, which are already there.
      void searchNotes(words, controller.signal).then(setNotes, () => undefined);
    const timer = setTimeout(search, searchAfterMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  const matched = matchItems([...listCommands(pageNames), ...items], query);
  const commands = matched.filter(({ kind }) => kind === "command");
  const found = [...commands, ...notes, ...matched.filter(({ kind }) => kind !== "command")];
  const current = Math.min(selected, found.length - 1);
  useEffect(
    () => document.getElementById(`find-${current}`)?.scrollIntoView({ block: "nearest" }),
    [current],
  );
  const run = (item: PaletteItem | undefined): void => {
    if (!item) return;
    close();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setSelected((current + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(found[current]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Find notes, sessions, rooms, settings and commands"
        aria-controls="find-list"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `find-${current}` : undefined}
        placeholder="Notes, sessions, rooms, settings …"
        autocomplete="off"
        autofocus
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="find-list" role="listbox" aria-label="Results">
        {found.map((item, index) => (
          <div
            key={item.id}
            id={`find-${index}`}
            class="palette-item"
            role="option"
            aria-selected={index === current}
            onMouseMove={() => setSelected(index)}
            onClick={() => run(item)}
          >
            <span class="palette-kind">{item.kind}</span>
            <span class="palette-text">
              <Line text={item.text.slice(0, 200)} />
            </span>
            {item.about && (
              <span class="faint">
                <Line text={item.about.slice(0, 100)} />
              </span>
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="faint palette-none" role="status">
          Nothing found.
        </p>
      )}
    </>
  );
}
