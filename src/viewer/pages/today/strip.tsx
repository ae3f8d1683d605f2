import type { LaneView } from "../../../protocol/today.ts";
import { now } from "../../data/clock.ts";
import { chooseHours, type Day, toQuery } from "../../data/day.ts";
import { formatCount, formatDuration, formatTime, revealInvisible } from "../../data/format.ts";
import type { LiveEvent } from "../../data/live.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Line } from "../../parts/text.tsx";
import { LaneStory } from "./lane-story.tsx";

/** Events of tool calls do not change the strip. */
const changesStrip = (event: LiveEvent): boolean =>
  event.type === "event.stored"
    ? event.event === "prompt"
    : /^(?:session|turn|question|observation)\./.test(event.type);

interface StripProps {
  day: Day;
  isToday: boolean;
  /** The agent whose story is open. */
  selected: string | undefined;
}

/** A day of all agents: a lane for each, with its states, questions and notes. */
export function Strip({ day, isToday, selected }: StripProps) {
  const { data, error } = useResource(
    "GET /api/strip",
    { query: { from: day.from, to: day.to } },
    changesStrip,
  );
  if (!data) return <Loading error={error} />;
  if (data.lanes.length === 0) return <NothingYet isToday={isToday} />;
  const end = Math.min(day.to, now.value);
  const scale = makeScale(day, data.lanes, isToday ? end : undefined);
  return (
    <section aria-labelledby="strip-title" class="strip">
      <h2 id="strip-title" class="visually-hidden">
        Agents
      </h2>
      <div class="strip-head" aria-hidden="true">
        <ul class="legend">
          <li class="legend-working">working</li>
          <li class="legend-waiting">waiting for you</li>
          <li class="legend-idle">idle</li>
          <li class="legend-question">question</li>
          <li class="legend-note">note</li>
        </ul>
        <svg class="axis">
          {scale.marks.map((at) => (
            <text key={at} x={scale.x(at)} y="11">
              {formatTime(at)}
            </text>
          ))}
        </svg>
      </div>
      <ul class="lanes">
        {data.lanes.map((lane) => {
          const isOpen = lane.agent === selected;
          return (
            <li key={lane.agent}>
              <a
                data-row
                class="lane"
                href={makeHash("today", isOpen ? undefined : lane.agent, toQuery(day))}
                aria-expanded={isOpen}
                aria-current={isOpen ? "true" : undefined}
              >
                <span class="lane-name">
                  <strong>
                    <Line text={lane.agent} />
                  </strong>
                  <span class="faint">
                    <Line text={lane.project} />
                  </span>
                  <span class="visually-hidden">{describeLane(lane, end)}</span>
                </span>
                <LanePicture lane={lane} scale={scale} end={end} isToday={isToday} />
              </a>
              {isOpen && <LaneStory lane={lane} about={describeLane(lane, end)} />}
            </li>
          );
        })}
      </ul>
      {data.isCut && <p class="faint">Only the first 3,000 turns, questions and notes are shown.</p>}
    </section>
  );
}

interface Scale {
  /** The position of a time, as a share of the width. */
  x(at: number): string;
  width(from: number, to: number): string;
  marks: number[];
}

/** Shows the hours in which something happened. An idle session alone does not widen them. */
function makeScale(day: Day, lanes: readonly LaneView[], now: number | undefined): Scale {
  const times = lanes.flatMap(({ spans, turns, questions, notes }) => [
    ...spans.filter(({ state }) => state !== "idle").flatMap(({ from, to }) => [from, to ?? now ?? from]),
    ...turns.flatMap((turn) => [turn.from, turn.to ?? turn.from]),
    ...questions.map(({ at }) => at),
    ...notes.map(({ at }) => at),
  ]);
  const inDay = times.filter((at) => at >= day.from && at <= day.to);
  const { from, to, marks } = chooseHours(day, now === undefined ? inDay : [...inDay, now]);
  const share = (ms: number): string => `${((100 * ms) / (to - from)).toFixed(3)}%`;
  const clamp = (at: number): number => Math.min(to, Math.max(from, at));
  return {
    x: (at) => share(clamp(at) - from),
    width: (left, right) => share(Math.max(0, clamp(right) - clamp(left))),
    marks,
  };
}

/** "working 2 h 10 min, waiting for you 4 min, 3 questions, 5 notes" */
function describeLane({ spans, questions, notes }: LaneView, end: number): string {
  const sum = (state: string): number =>
    spans.reduce((total, span) => total + (span.state === state ? (span.to ?? end) - span.from : 0), 0);
  const [working, waiting] = [sum("working"), sum("waiting")];
  return [
    working > 0 ? `working ${formatDuration(working)}` : "idle",
    waiting > 0 ? `waiting for you ${formatDuration(waiting)}` : "",
    questions.length > 0 ? formatCount(questions.length, "question") : "",
    notes.length > 0 ? formatCount(notes.length, "note") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

interface PictureProps {
  lane: LaneView;
  scale: Scale;
  end: number;
  isToday: boolean;
}

const maxTitle = 160;

/** The same facts as the story of the lane, which is there for keyboards and screen readers. */
function LanePicture({ lane, scale: { x, width, marks }, end, isToday }: PictureProps) {
  const title = (text: string): string => revealInvisible(text.slice(0, maxTitle).toWellFormed());
  return (
    <svg class="lane-picture" aria-hidden="true" onClick={openMark}>
      {marks.map((at) => (
        <line key={at} class="hour" x1={x(at)} x2={x(at)} y1="0" y2="34" />
      ))}
      {lane.spans
        .filter(({ state }) => state === "idle")
        .map(({ from, to }) => (
          <rect key={from} class="idle" x={x(from)} width={width(from, to ?? end)} y="15" height="2" />
        ))}
      {lane.turns.map(({ session, number, from, to, asked }) => (
        <rect
          key={`${session} ${number}`}
          class="working"
          data-href={makeHash("sessions", session)}
          x={x(from)}
          width={width(from, to ?? end)}
          y="10"
          height="12"
        >
          <title>{`${formatTime(from)} ${title(asked)}`}</title>
        </rect>
      ))}
      {lane.spans
        .filter(({ state }) => state === "waiting")
        .map(({ from, to }) => (
          <rect key={from} class="wait" x={x(from)} width={width(from, to ?? end)} y="7" height="18">
            <title>{`Waited for you ${formatDuration((to ?? end) - from)}`}</title>
          </rect>
        ))}
      {lane.notes.map(({ id, at, title: text }) => (
        <rect
          key={id}
          class="note-tick"
          data-href={makeHash("memory", id)}
          x={x(at)}
          y="24"
          width="2"
          height="10"
        >
          <title>{`${formatTime(at)} ${title(text)}`}</title>
        </rect>
      ))}
      {lane.questions.map(({ id, at, title: text, state }) => (
        <circle
          key={id}
          class={state === "open" ? "asked asked-open" : "asked"}
          data-href={makeHash("questions")}
          cx={x(at)}
          cy="7"
          r="5"
        >
          <title>{`${formatTime(at)} ${title(text)}`}</title>
        </circle>
      ))}
      {isToday && <line class="now" x1={x(end)} x2={x(end)} y1="0" y2="34" />}
    </svg>
  );
}

/** A mark opens its own page; the rest of the lane opens the story. */
function openMark(event: MouseEvent): void {
  const href = (event.target as Element).closest("[data-href]")?.getAttribute("data-href");
  if (!href) return;
  event.preventDefault();
  location.hash = href;
}

function NothingYet({ isToday }: { isToday: boolean }) {
  if (!isToday)
    return (
      <Empty title="No activity on this day">
        <p>No session ran, and no question was asked.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing yet today">
      <p>
        Start <kbd>claude</kbd> in any project. Its lane shows when it works, when it waits for you, what it
        asked and what it noted.
      </p>
      <p>
        Not showing up? <kbd>rookery doctor</kbd>
      </p>
    </Empty>
  );
}
