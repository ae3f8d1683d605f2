import { refusal } from "../data/access.ts";
import { Icon } from "./icon.tsx";

/** Shown in a tab that has no token. */
export function Locked() {
  return (
    <main class="locked">
      <Icon name="bird" />
      <h1>Rookery</h1>
      {refusal.value !== null && <p role="alert">{refusal.value}</p>}
      <p>This page shows your agents' memory. Open it from your terminal:</p>
      <p>
        <kbd>rookery open</kbd>
      </p>
      <p class="faint">
        The link works once, for one minute. This browser is then remembered for 30 days;{" "}
        <kbd>rookery open --forget</kbd> signs it out.
      </p>
    </main>
  );
}
