import { refusal } from "../data/access.ts";
import { Icon } from "./icon.tsx";

/** Shown in a tab that has no token. */
export function Locked() {
  return (
    <main class="locked">
      <Icon name="bird" />
      <h1>Rookery</h1>
      {refusal.value !== null && <p role="alert">{refusal.value}</p>}
      <p>This page shows what your agents remember, so it opens only from your own terminal:</p>
      <p>
        <kbd>rookery open</kbd>
      </p>
      <p class="faint">
        The address it opens works once, within a minute. Afterwards this tab stays let in until you close it.
      </p>
    </main>
  );
}
