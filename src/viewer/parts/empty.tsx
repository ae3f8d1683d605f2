import type { ComponentChildren } from "preact";
import { showUnseen } from "../data/words.ts";
import { Icon } from "./icon.tsx";

/** Nothing here, and what to do about it. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name="bird" />
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}

/** What went wrong, and what to do about it. */
export function Trouble({ error, id }: { error: unknown; id?: string }) {
  const { message, hint = "" } = error as { message: string; hint?: string };
  return (
    <p class="trouble" role="alert" id={id}>
      {showUnseen(`${message} ${hint}`.slice(0, 1_000))}
    </p>
  );
}

export function Waiting() {
  return (
    <p class="waiting" aria-live="polite">
      One moment …
    </p>
  );
}
