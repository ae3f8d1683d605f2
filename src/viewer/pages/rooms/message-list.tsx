import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Said } from "../../data/conversation.ts";
import type { MessageView } from "../../../protocol/mail.ts";
import { now } from "../../data/clock.ts";
import { sayDate } from "../../data/words.ts";
import { DeliveryEntry, MessageEntry } from "./message.tsx";

interface MessageListProps {
  said: Said[];
  hasEarlier: boolean;
  loadEarlier(): void;
  onReply(message: MessageView): void;
}

const nearPx = 80;
/** What the same one says soon after needs no name above it. */
const breathMs = 5 * 60_000;

/** At its end it stays there while more is said; further up it stands still and says that there is more. */
export function MessageList({ said, hasEarlier, loadEarlier, onReply }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const first = useRef(said[0]?.id);
  const [missed, setMissed] = useState(0);
  const last = said.at(-1)?.id;
  const seen = useRef(last);

  const toEnd = (): void => {
    const element = box.current as HTMLDivElement;
    element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    // What comes in above pushes nothing away.
    if (first.current !== said[0]?.id && !isAtEnd.current)
      element.scrollTop += element.scrollHeight - height.current;
    if (isAtEnd.current) toEnd();
    else if (seen.current !== last) setMissed((n) => n + 1);
    [first.current, seen.current, height.current] = [said[0]?.id, last, element.scrollHeight];
  }, [said]);

  const look = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current as HTMLDivElement;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
    if (isAtEnd.current) setMissed(0);
  };
  return (
    <div class="messages-box">
      <div class="messages" ref={box} tabIndex={0} role="region" aria-label="Messages" onScroll={look}>
        {hasEarlier && (
          <button type="button" class="quiet" onClick={loadEarlier}>
            Earlier messages
          </button>
        )}
        {said.length === 0 && <p class="hint">Nothing was said here yet. What you write comes first.</p>}
        <ol aria-live="polite" aria-relevant="additions">
          {said.map((one, index) => (
            <li key={one.id} class={classOf(one)}>
              <Day at={one.at} before={said[index - 1]?.at} />
              {one.way === "message" ? (
                <MessageEntry
                  message={one.message}
                  isContinued={isContinued(one, said[index - 1])}
                  answered={findAnswered(said, one.message.replyTo)}
                  onReply={onReply}
                />
              ) : (
                <DeliveryEntry delivery={one.delivery} />
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

function classOf(one: Said): string {
  if (one.way === "delivery" || one.message.kind !== "text") return "spoken-note";
  return one.message.isMine ? "spoken spoken-mine" : "spoken";
}

function isContinued(one: Said, before: Said | undefined): boolean {
  if (one.way !== "message" || before?.way !== "message") return false;
  const [a, b] = [one.message, before.message];
  return b.kind === "text" && a.from === b.from && a.at - b.at < breathMs && isSameDay(a.at, b.at);
}

function findAnswered(said: Said[], id: string | null): MessageView | undefined {
  const found = id === null ? undefined : said.find((one) => one.id === id);
  return found?.way === "message" ? found.message : undefined;
}

function Day({ at, before }: { at: number; before: number | undefined }) {
  if (before !== undefined && isSameDay(at, before)) return null;
  return <p class="day">{sayDate(at, now.value)}</p>;
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
