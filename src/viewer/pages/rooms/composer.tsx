import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../protocol/mail.ts";
import { call } from "../../data/api.ts";
import { drafts, keepDraft } from "../../data/drafts.ts";
import { useKeys } from "../../data/keys.ts";
import { Trouble } from "../../parts/empty.tsx";
import { Line } from "../../parts/text.tsx";

interface ComposerProps {
  /** An agent's name, or the id of a room. */
  to: string;
  label: string;
  isForMany: boolean;
  /** Ids of what was said here. */
  said: readonly { id: string }[];
  /** What is being answered. */
  answered: MessageView | undefined;
  onAnswered(): void;
  onSent(): void;
}

const mostLetters = 50_000;

/** What is written stays in the box until the daemon has kept it, whatever happens. */
export function Composer({ to, label, isForMany, said, answered, onAnswered, onSent }: ComposerProps) {
  const { id, text } = drafts.value[to] ?? { id: undefined, text: "" };
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  useKeys({ c: () => box.current?.focus() });
  // At once: whoever has pressed Reply types on.
  useLayoutEffect(() => {
    if (answered) box.current?.focus();
  }, [answered]);

  const clear = (): void => {
    keepDraft(to, "");
    setError(undefined);
    onAnswered();
  };
  // It got there, and the answer was lost.
  const isSaid = said.some((one) => one.id === id);
  useEffect(() => {
    if (isSaid) clear();
  }, [isSaid]);

  async function send(): Promise<void> {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    try {
      await call("POST /api/messages", { body: { id, to, text, replyTo: answered?.id } });
      clear();
      onSent();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setSending(false);
    }
  }

  return (
    <form
      class="composer"
      aria-label={`Write to ${label}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {answered && (
        <p class="answered">
          <Line text={answered.from} />: <Line text={answered.text.slice(0, 140)} />
          <button type="button" class="quiet" onClick={onAnswered}>
            Not as a reply
          </button>
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      <div class="composer-row">
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={`Message to ${label}`}
          aria-invalid={error !== undefined}
          placeholder={`Write to ${label} …`}
          maxLength={mostLetters}
          readOnly={isSending}
          value={text}
          onInput={(event) => keepDraft(to, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <button type="submit" class="primary" disabled={isSending || text.trim() === ""}>
          {isSending ? "Sending …" : "Send"}
        </button>
      </div>
      <p class="faint composer-hint">
        <kbd>Enter</kbd> sends, <kbd>Shift Enter</kbd> begins a line.
        {isForMany && " All agents here are meant, unless you name some: @name."}
      </p>
    </form>
  );
}
