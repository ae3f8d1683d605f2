import type { SourceEvent } from "../../../protocol/viewer.ts";
import { parseJson } from "../../../shared/json.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { formatCount, formatDateTime } from "../../data/format.ts";
import { Age, Line, Prose } from "../../parts/text.tsx";

/** The source events of a note and the sessions that used it. */
export function NoteSources({ id }: { id: string }) {
  const { data } = useResource("GET /api/notes/:id/sources", { params: { id } });
  if (!data) return null;
  return (
    <>
      <section class="panel">
        <h3>Source events</h3>
        {data.events.length === 0 ? (
          <p class="faint">None. The note was saved by hand or imported, or its events have expired.</p>
        ) : (
          data.events.map((event) => (
            <details key={event.id} class="event">
              <summary>
                <strong>{event.event}</strong> {event.tool && <Line text={event.tool} />}{" "}
                <span class="faint">
                  {formatDateTime(event.at)} · via {event.via}
                </span>
              </summary>
              <Prose class="code" text={readable(event)} />
            </details>
          ))
        )}
      </section>
      <section class="panel">
        <h3>Used in sessions</h3>
        {data.injections.length === 0 ? (
          <p class="faint">Never</p>
        ) : (
          <ul class="injections">
            {data.injections.map(({ session, agent, point, reason, score, tokens, at }) => (
              <li key={`${session} ${point}`}>
                <a href={makeHash("sessions", session)}>
                  <Line text={agent || session} />
                </a>{" "}
                at {point}: <Line text={reason} />{" "}
                <span class="faint">
                  {score !== null && `score ${score.toFixed(2)}, `}about {formatCount(tokens, "token")} ·{" "}
                  <Age at={at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

/** Pretty-prints the payload. A truncated one is not valid JSON and is shown as it is. */
function readable({ payload }: SourceEvent): string {
  try {
    return JSON.stringify(parseJson(payload), null, 2);
  } catch {
    return `${payload} …`;
  }
}
