import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../protocol/mail.ts";
import { call } from "../../data/api.ts";
import { drafts, saveDraft } from "../../data/drafts.ts";
import { useKeys } from "../../data/keys.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { Line } from "../../parts/text.tsx";

interface ComposerProps {
  /** An agent's name or a room id. */
  to: string;
  label: string;
  isForMany: boolean;
  /** The entries of the conversation. */
  entries: readonly { id: string }[];
  /** The message to reply to. */
  quoted: MessageView | undefined;
  onQuoteCleared(): void;
  onSent(): void;
}

const maxLength = 50_000;

/** Keeps the text in the box until the daemon has stored it. */
export function Composer({ to, label, isForMany, entries, quoted, onQuoteCleared, onSent }: ComposerProps) {
  const { id, text } = drafts.value[to] ?? { id: undefined, text: "" };
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  useKeys({ c: () => box.current?.focus() });
  // In a layout effect, so that you can type right after pressing Reply.
  useLayoutEffect(() => {
    if (quoted) box.current?.focus();
  }, [quoted]);

  const clear = (): void => {
    saveDraft(to, "");
    setError(undefined);
    onQuoteCleared();
  };
  // The message was stored, but the response was lost.
  const isStored = entries.some((entry) => entry.id === id);
  useEffect(() => {
    if (isStored) clear();
  }, [isStored]);

  async function send(): Promise<void> {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    try {
      await call("POST /api/messages", { body: { id, to, text, replyTo: quoted?.id } });
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
      {quoted && (
        <p class="answered">
          <Line text={quoted.from} />: <Line text={quoted.text.slice(0, 140)} />
          <button type="button" class="quiet" onClick={onQuoteCleared}>
            Cancel reply
          </button>
        </p>
      )}
      {error !== undefined && <ErrorMessage error={error} />}
      <div class="composer-row">
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={`Message to ${label}`}
          aria-invalid={error !== undefined}
          placeholder={`Write to ${label} …`}
          maxLength={maxLength}
          readOnly={isSending}
          value={text}
          onInput={(event) => saveDraft(to, event.currentTarget.value)}
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
        <kbd>Enter</kbd> sends, <kbd>Shift Enter</kbd> starts a new line.
        {isForMany && " Goes to all agents here unless you mention some with @name."}
      </p>
    </form>
  );
}
