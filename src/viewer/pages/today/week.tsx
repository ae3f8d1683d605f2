import type { WeekDay } from "../../../protocol/today.ts";
import { now } from "../../data/clock.ts";
import { type Day, dayOf, shiftDay, toQuery } from "../../data/day.ts";
import { formatCount, formatDay, formatDuration, formatWeekday } from "../../data/format.ts";
import type { LiveEvent } from "../../data/live.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Loading } from "../../parts/empty.tsx";

const days = 7;

/** The seven days that end today, or with the shown day if it is older. */
export function weekOf(day: Day): { from: number; to: number; edges: number[] } {
  const today = dayOf(now.value);
  const isRecent = day.from >= shiftDay(today, 1 - days).from;
  const last = isRecent ? today : day;
  const edges = Array.from({ length: days }, (_, index) => shiftDay(last, index + 1 - days).from);
  return { from: edges[0] ?? 0, to: last.to, edges: [...edges, last.to] };
}

/** A finished turn changes the totals. */
const changesWeek = ({ type }: LiveEvent): boolean => type === "turn.ended" || type === "observation.stored";

/** The week, a bar for each day; each opens its day. */
export function Week({ day }: { day: Day }) {
  const { edges } = weekOf(day);
  const { data, error } = useResource("GET /api/week", { query: { edges: edges.join() } }, changesWeek);
  const max = Math.max(1, ...(data?.days.map(({ workingMs, waitingMs }) => workingMs + waitingMs) ?? []));
  return (
    <section aria-labelledby="week-title">
      <h2 id="week-title">Week</h2>
      {!data && <Loading error={error} />}
      {data && (
        <ol class="week">
          {data.days.map((each) => (
            <li key={each.from}>
              <DayBar day={each} max={max} isShown={each.from === day.from} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const barHeight = 72;
const hourMs = 3_600_000;

/** Short enough for a column: the sum over all agents can be more than a day. */
function formatHours(ms: number): string {
  return ms < hourMs ? formatDuration(ms) : `${Math.round(ms / hourMs)} h`;
}

function DayBar({ day, max, isShown }: { day: WeekDay; max: number; isShown: boolean }) {
  const { from, agents, turns, questions, notes, workingMs, waitingMs } = day;
  const height = (ms: number): number => (ms === 0 ? 0 : Math.max(2, (barHeight * ms) / max));
  const [working, waiting] = [height(workingMs), height(waitingMs)];
  const about =
    turns === 0
      ? "No turns"
      : `${formatCount(agents, "agent")}, ${formatHours(workingMs)} working, ${formatHours(waitingMs)} waiting for you, ${formatCount(questions, "question")}, ${formatCount(notes, "note")}`;
  return (
    <a
      class="week-day"
      href={makeHash("today", undefined, toQuery(dayOf(from)))}
      aria-current={isShown ? "date" : undefined}
      title={about}
    >
      <svg aria-hidden="true" width="100%" height={barHeight}>
        <rect class="working" x="20%" width="60%" y={barHeight - working} height={working} />
        <rect class="wait" x="20%" width="60%" y={barHeight - working - waiting} height={waiting} />
      </svg>
      <strong>{formatWeekday(from)}</strong>
      <span class="faint week-date">{formatDay(from)}</span>
      <span class="faint" aria-hidden="true">
        {workingMs > 0 ? formatHours(workingMs) : "–"}
      </span>
      <span class="visually-hidden">{about}</span>
    </a>
  );
}
