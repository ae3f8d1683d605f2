import { useEffect, useRef } from "preact/hooks";
import { isHelpOpen, pageKeys } from "../data/keys.ts";
import { pageNames } from "./shell.tsx";

const general: [string, string][] = [
  ["j / k", "next and previous row"],
  ["Enter", "open the row"],
  ["Ctrl K", "find notes, sessions, rooms, settings and commands"],
  ["/", "search"],
  ["Esc", "leave a field, close a dialog, go back to the list"],
  ["c", "write a message"],
  ["m", "mute or unmute the room"],
  ["1 … 9", "choose an option of the focused question"],
  ["e", "edit the note"],
  ["p", "pin or unpin the note"],
  ["s", "mark the note as superseded"],
  ["#", "delete the note"],
  ["u", "undo"],
  ["r", "show new items"],
  ["[ / ]", "the day before and after"],
  ["t", "switch the theme"],
  ["?", "show this help"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (isHelpOpen.value = false)}>
      <header>
        <h2 id="help-title">Keys</h2>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </header>
      <div class="help-columns">
        <dl>
          {Object.entries(pageKeys).map(([key, page]) => (
            <div key={key}>
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{pageNames[page]}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {general.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}
