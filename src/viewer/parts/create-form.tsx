import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ErrorMessage } from "./empty.tsx";

interface CreateButtonProps {
  noun: string;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Opens and closes a `CreateForm`. */
export function CreateButton({ noun, isOpen, setOpen }: CreateButtonProps) {
  return (
    <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      New {noun}
    </button>
  );
}

interface CreateFormProps {
  /** "room": the form is "New room", its button "Create room". */
  noun: string;
  isReady: boolean;
  create(): Promise<unknown>;
  onDone(): void;
  children: ComponentChildren;
}

/** A form that creates one thing. It closes on success, Escape and Cancel, and shows a failure above its buttons. */
export function CreateForm({ noun, isReady, create, onDone, children }: CreateFormProps) {
  const [error, setError] = useState<unknown>(undefined);
  return (
    <form
      class="panel form"
      aria-label={`New ${noun}`}
      onSubmit={(event) => {
        event.preventDefault();
        create().then(onDone, setError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      {children}
      {error !== undefined && <ErrorMessage error={error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={!isReady}>
          Create {noun}
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}
