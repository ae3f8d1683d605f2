import type { DeliveryView } from "../../../protocol/api.ts";
import type { MessageView } from "../../../protocol/mail.ts";
import { restoreDraft } from "../../data/drafts.ts";
import { toneOf } from "../../data/tone.ts";
import { formatTime, formatDateTime } from "../../data/format.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Line } from "../../parts/text.tsx";

interface MessageEntryProps {
  message: MessageView;
  isFollowUp: boolean;
  quoted: MessageView | undefined;
  onReply(message: MessageView): void;
}

export function MessageEntry({ message, isFollowUp, quoted, onReply }: MessageEntryProps) {
  const { from, isMine, kind, text, at } = message;
  if (kind !== "text")
    return (
      <p title={formatDateTime(at)}>
        {kind === "task" && (
          <>
            <Line text={from} />:{" "}
          </>
        )}
        <Line text={text} /> <span class="faint">{formatTime(at)}</span>
      </p>
    );
  return (
    <article class="bubble">
      {!isFollowUp && (
        <p class="spoken-by">
          <strong class={isMine ? "" : toneOf(from)}>{isMine ? "You" : <Line text={from} />}</strong>{" "}
          <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
            {formatTime(at)}
          </time>
        </p>
      )}
      {quoted && (
        <p class="answered">
          <Line text={quoted.from} />: <Line text={quoted.text.slice(0, 140)} />
        </p>
      )}
      <Markdown text={text} />
      <p class="spoken-foot">
        <DeliveryState message={message} />
        {!isMine && (
          <button type="button" class="quiet" onClick={() => onReply(message)}>
            Reply<span class="visually-hidden"> to {from}</span>
          </button>
        )}
      </p>
    </article>
  );
}

const stateWords = { confirmed: "read by", injected: "delivered to", queued: "waiting for" } as const;

/** The delivery state: at the homeserver, then per recipient. */
function DeliveryState({
  message: { id, to, text, state, error, deliveries, isMine },
}: {
  message: MessageView;
}) {
  if (state === "queued") return <span class="way way-queued">waiting for the homeserver</span>;
  if (state === "failed")
    return (
      <span class="way way-failed">
        not delivered: <Line text={error ?? "refused"} />
        {isMine && (
          <button type="button" class="quiet" onClick={() => restoreDraft(to, text)}>
            Edit and resend<span class="visually-hidden"> (message {id.slice(-6)})</span>
          </button>
        )}
      </span>
    );
  const parts = (["confirmed", "injected", "queued"] as const)
    .map((step) => ({ step, agents: deliveries.filter((delivery) => delivery.state === step) }))
    .filter(({ agents }) => agents.length > 0);
  if (parts.length === 0) return isMine ? <span class="way">sent</span> : null;
  return (
    <span class="way">
      {parts.map(({ step, agents }, index) => (
        <span key={step} class={`way-${step}`}>
          {index > 0 && " · "}
          {stateWords[step]} <Line text={agents.map(({ agent }) => agent).join(", ")} />
        </span>
      ))}
    </span>
  );
}

const kindWords: Record<string, string> = { answer: "Answer", notice: "Notice", message: "Message" };
const deliveryWords = { queued: "waiting", injected: "delivered", confirmed: "read" };

/** A delivery that did not come by mail: an answer, a notice or text from a script. */
export function DeliveryEntry({ delivery }: { delivery: DeliveryView }) {
  const { kind, from, source, body, state, createdAt } = delivery;
  return (
    <details>
      <summary title={formatDateTime(createdAt)}>
        {kindWords[kind] ?? kind} from <Line text={from} /> via <Line text={source} />:{" "}
        <span class={`way-${state}`}>{deliveryWords[state]}</span>{" "}
        <span class="faint">{formatTime(createdAt)}</span>
      </summary>
      <Markdown text={body} />
    </details>
  );
}
