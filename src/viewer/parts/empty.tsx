import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Line } from "./text.tsx";

/** An empty state, with a hint on what to do. `isStart`: there is nothing yet, so that a list needs no room beside it. */
export function Empty({
  title,
  isStart = false,
  children,
}: {
  title: string;
  isStart?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={`empty ${isStart ? "empty-start" : ""}`}>
      <Icon name="bird" />
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}

/** An error with its hint. */
export function ErrorMessage({ error, id }: { error: unknown; id?: string }) {
  const { message, hint = "" } = error as { message: string; hint?: string };
  return (
    <p class="trouble" role="alert" id={id}>
      <Line text={`${message} ${hint}`} />
    </p>
  );
}

/** Placeholder for missing data: the error, or a loading message. */
export function Loading({ error }: { error?: unknown }) {
  if (error !== undefined) return <ErrorMessage error={error} />;
  return (
    <p class="waiting" aria-live="polite">
      Loading …
    </p>
  );
}
