import { formatCount } from "../../data/format.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Loading } from "../../parts/empty.tsx";
import { Age, Line } from "../../parts/text.tsx";

const maxShown = 12;

/** Who talks to whom: senders and recipients, by the number of messages. */
export function Talk({ from, to }: { from: number; to: number }) {
  const { data, error } = useResource("GET /api/talk", { query: { from, to } }, ({ type }) =>
    type.startsWith("message."),
  );
  const max = data?.pairs[0]?.messages ?? 1;
  return (
    <section aria-labelledby="talk-title">
      <h2 id="talk-title">Who talks to whom, these 7 days</h2>
      {!data && <Loading error={error} />}
      {data?.pairs.length === 0 && <p class="faint">No messages. Agents and you can write in Rooms.</p>}
      <ul class="talk">
        {data?.pairs.slice(0, maxShown).map(({ sender, recipient, isRoom, room, messages, lastAt }) => (
          <li key={`${room} ${sender} ${recipient}`}>
            <a data-row href={makeHash("rooms", room)}>
              <span class="talk-pair">
                <Line text={sender} /> <span aria-hidden="true">→</span>
                <span class="visually-hidden">to</span>{" "}
                {recipient === null ? "you" : <Line text={isRoom ? `room ${recipient}` : recipient} />}
              </span>
              <svg aria-hidden="true" class="talk-bar">
                <rect width={`${(100 * messages) / max}%`} height="8" rx="2" />
              </svg>
              <span class="faint">
                {formatCount(messages, "message")} · <Age at={lastAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {data && data.pairs.length > maxShown && (
        <p class="faint">… {formatCount(data.pairs.length - maxShown, "more pair")}</p>
      )}
    </section>
  );
}
