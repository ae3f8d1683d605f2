import type { DeliveryView } from "../../../protocol/api.ts";
import type { MessageView } from "../../../protocol/mail.ts";
import { putBack } from "../../data/drafts.ts";
import { sayClock, sayMoment } from "../../data/words.ts";
import { Line, Prose } from "../../parts/text.tsx";

interface MessageEntryProps {
  message: MessageView;
  isContinued: boolean;
  answered: MessageView | undefined;
  onReply(message: MessageView): void;
}

export function MessageEntry({ message, isContinued, answered, onReply }: MessageEntryProps) {
  const { from, isMine, kind, text, at } = message;
  if (kind !== "text")
    return (
      <p title={sayMoment(at)}>
        {kind === "task" && (
          <>
            <Line text={from} />:{" "}
          </>
        )}
        <Line text={text} /> <span class="faint">{sayClock(at)}</span>
      </p>
    );
  return (
    <article class="bubble">
      {!isContinued && (
        <p class="spoken-by">
          <strong>{isMine ? "You" : <Line text={from} />}</strong>{" "}
          <time dateTime={new Date(at).toISOString()} title={sayMoment(at)}>
            {sayClock(at)}
          </time>
        </p>
      )}
      {answered && (
        <p class="answered">
          <Line text={answered.from} />: <Line text={answered.text.slice(0, 140)} />
        </p>
      )}
      <Prose text={text} />
      <p class="spoken-foot">
        <Way message={message} />
        {!isMine && (
          <button type="button" class="quiet" onClick={() => onReply(message)}>
            Reply<span class="unseen"> to {from}</span>
          </button>
        )}
      </p>
    </article>
  );
}

const stateWords = { confirmed: "read by", injected: "handed to", queued: "waits for" } as const;

/** How far it got: to the homeserver, and with each agent that it is for. */
function Way({ message: { id, to, text, state, error, deliveries, isMine } }: { message: MessageView }) {
  if (state === "queued") return <span class="way way-queued">waits for the homeserver</span>;
  if (state === "failed")
    return (
      <span class="way way-failed">
        not delivered: <Line text={error ?? "refused"} />
        {isMine && (
          <button type="button" class="quiet" onClick={() => putBack(to, text)}>
            Write it again<span class="unseen"> (message {id.slice(-6)})</span>
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

const kindWords: Record<string, string> = { answer: "Your answer", notice: "A notice", message: "A note" };
const deliveryWords = { queued: "waits for it", injected: "handed over", confirmed: "read" };

/** Put before the agent by another way than mail: an answer, a notice, something from a script. */
export function DeliveryEntry({ delivery }: { delivery: DeliveryView }) {
  const { kind, from, source, body, state, createdAt } = delivery;
  return (
    <details>
      <summary title={sayMoment(createdAt)}>
        {kindWords[kind] ?? kind} from <Line text={from} /> by <Line text={source} />:{" "}
        <span class={`way-${state}`}>{deliveryWords[state]}</span>{" "}
        <span class="faint">{sayClock(createdAt)}</span>
      </summary>
      <Prose text={body} />
    </details>
  );
}
