import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Line } from "./text.tsx";

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
      <Line text={`${message} ${hint}`} />
    </p>
  );
}

/** In place of what is not there yet: why not, or that it is coming. */
export function Pending({ error }: { error?: unknown }) {
  if (error !== undefined) return <Trouble error={error} />;
  return (
    <p class="waiting" aria-live="polite">
      One moment …
    </p>
  );
}
