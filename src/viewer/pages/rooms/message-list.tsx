import type { TargetedEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ConversationEntry } from "../../data/conversation.ts";
import type { MessageView } from "../../../protocol/mail.ts";
import { now } from "../../data/clock.ts";
import { formatDate } from "../../data/format.ts";
import { DeliveryEntry, MessageEntry } from "./message.tsx";

interface MessageListProps {
  entries: ConversationEntry[];
  hasEarlier: boolean;
  loadEarlier(): void;
  onReply(message: MessageView): void;
}

const nearPx = 80;
/** Messages of one sender within this time share one header. */
const groupWithinMs = 5 * 60_000;

/** Follows new messages while scrolled to the end; otherwise keeps its position and counts them. */
export function MessageList({ entries, hasEarlier, loadEarlier, onReply }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const first = useRef(entries[0]?.id);
  const [missed, setMissed] = useState(0);
  const last = entries.at(-1)?.id;
  const seen = useRef(last);

  const toEnd = (): void => {
    const element = box.current as HTMLDivElement;
    element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    // Keeps the scroll position when earlier messages are inserted above.
    if (first.current !== entries[0]?.id && !isAtEnd.current)
      element.scrollTop += element.scrollHeight - height.current;
    if (isAtEnd.current) toEnd();
    else if (seen.current !== last) setMissed((n) => n + 1);
    [first.current, seen.current, height.current] = [entries[0]?.id, last, element.scrollHeight];
  }, [entries]);

  // A scroll event may arrive after the list has left the page, when `box` is empty.
  const updatePosition = ({ currentTarget }: TargetedEvent<HTMLDivElement>): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
    if (isAtEnd.current) setMissed(0);
  };
  return (
    <div class="messages-box">
      <div
        class="messages"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Messages"
        onScroll={updatePosition}
      >
        {hasEarlier && (
          <button type="button" class="quiet" onClick={loadEarlier}>
            Earlier messages
          </button>
        )}
        {entries.length === 0 && <p class="hint">No messages yet.</p>}
        <ol aria-live="polite" aria-relevant="additions">
          {entries.map((entry, index) => (
            <li key={entry.id} class={classOf(entry)}>
              <Day at={entry.at} before={entries[index - 1]?.at} />
              {entry.type === "message" ? (
                <MessageEntry
                  message={entry.message}
                  isFollowUp={isFollowUp(entry, entries[index - 1])}
                  quoted={findQuoted(entries, entry.message.replyTo)}
                  onReply={onReply}
                />
              ) : (
                <DeliveryEntry delivery={entry.delivery} />
              )}
            </li>
          ))}
        </ol>
      </div>
      {missed > 0 && (
        <button type="button" class="missed" onClick={toEnd}>
          {missed} new ↓
        </button>
      )}
    </div>
  );
}

function classOf(entry: ConversationEntry): string {
  if (entry.type === "delivery" || entry.message.kind !== "text") return "spoken-note";
  return entry.message.isMine ? "spoken spoken-mine" : "spoken";
}

function isFollowUp(entry: ConversationEntry, before: ConversationEntry | undefined): boolean {
  if (entry.type !== "message" || before?.type !== "message") return false;
  const [a, b] = [entry.message, before.message];
  return b.kind === "text" && a.from === b.from && a.at - b.at < groupWithinMs && isSameDay(a.at, b.at);
}

function findQuoted(entries: ConversationEntry[], id: string | null): MessageView | undefined {
  const found = id === null ? undefined : entries.find((entry) => entry.id === id);
  return found?.type === "message" ? found.message : undefined;
}

function Day({ at, before }: { at: number; before: number | undefined }) {
  if (before !== undefined && isSameDay(at, before)) return null;
  return <p class="day">{formatDate(at, now.value)}</p>;
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
