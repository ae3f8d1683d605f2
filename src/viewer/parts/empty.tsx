import type { ComponentChildren } from "preact";
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

/** This daemon has no such thing. */
export function NotHere({ what }: { what: string }) {
  return (
    <Empty title={`This daemon has no ${what}`}>
      <p>It is older than this page, or was built without them. After an update:</p>
      <p>
        <kbd>rookery restart</kbd>
      </p>
    </Empty>
  );
}

export function Trouble({ error }: { error: unknown }) {
  const { message, hint } = error as { message: string; hint?: string };
  return (
    <p class="trouble" role="alert">
      {message} {hint}
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
