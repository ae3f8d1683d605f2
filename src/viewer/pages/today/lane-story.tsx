import type { ComponentChildren } from "preact";
import type { LaneView } from "../../../protocol/today.ts";
import { formatDuration, formatTime } from "../../data/format.ts";
import { makeHash } from "../../data/route.ts";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

interface Entry {
  key: string;
  at: number;
  content: ComponentChildren;
}

/** The day of one agent as a list: its turns, questions and notes in order. */
export function LaneStory({ lane, about }: { lane: LaneView; about: string }) {
  const entries = listEntries(lane);
  return (
    <div class="lane-story">
      <p class="faint">{about}</p>
      <ol>
        {entries.map(({ key, at, content }) => (
          <li key={key}>
            <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time> {content}
          </li>
        ))}
      </ol>
      {entries.length === 0 && <p class="faint">It ran, but got no prompt.</p>}
    </div>
  );
}

function listEntries({ turns, questions, notes }: LaneView): Entry[] {
  return [
    ...turns.map(({ session, number, from, to, asked, outcome }) => ({
      key: `${session} ${number}`,
      at: from,
      content: (
        <a data-row href={makeHash("sessions", session)}>
          <Line text={asked || "A turn without a prompt"} />{" "}
          <span class="faint">
            {to === null ? "working" : formatDuration(to - from)}
            {outcome !== null && outcome !== "completed" && `, ${outcome}`}
          </span>
        </a>
      ),
    })),
    ...questions.map(({ id, at, settledAt, title, state }) => ({
      key: id,
      at,
      content: (
        <a data-row class="story-question" href={makeHash("questions")}>
          <Line text={title} />{" "}
          <span class="faint">
            {settledAt === null ? "waiting for you" : `${state} after ${formatDuration(settledAt - at)}`}
          </span>
        </a>
      ),
    })),
    ...notes.map(({ id, at, type, title }) => ({
      key: id,
      at,
      content: (
        <a data-row class="story-note" href={makeHash("memory", id)}>
          <TypeMark type={type} /> <Line text={title} />
        </a>
      ),
    })),
  ].toSorted((a, b) => a.at - b.at);
}
