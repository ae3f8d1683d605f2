import { now } from "../data/clock.ts";
import { type Day, parseDay, shiftDay, toQuery } from "../data/day.ts";
import { formatDate } from "../data/format.ts";
import { useKeys } from "../data/keys.ts";
import { go, makeHash, route } from "../data/route.ts";
import { Inbox } from "../parts/inbox.tsx";
import { Feed } from "./today/feed.tsx";
import { Running } from "./today/running.tsx";
import { RecallUse } from "./today/recall-use.tsx";
import { Strip } from "./today/strip.tsx";
import { Talk } from "./today/talk.tsx";
import { Week, weekOf } from "./today/week.tsx";

/** More would push the day out of view. */
const maxQuestions = 5;

/** The front page: open questions, the day of every agent, the week, the use of memory, and the newest notes. */
export function Today() {
  const { id, query } = route.value;
  const day = parseDay(query.day, now.value);
  const isToday = day.to > now.value;
  const { from, to } = weekOf(day);
  return (
    <div class="page page-wide">
      <DayHead day={day} isToday={isToday} />
      {isToday && <Inbox title="Waiting for you" max={maxQuestions} />}
      <Strip day={day} isToday={isToday} selected={id} />
      {isToday && <Running />}
      <div class="day-columns">
        <div>
          <Week day={day} />
          <Talk from={from} to={to} />
        </div>
        <div>
          <RecallUse from={from} to={to} />
          {isToday && <Feed />}
        </div>
      </div>
    </div>
  );
}

function DayHead({ day, isToday }: { day: Day; isToday: boolean }) {
  const [before, after] = [shiftDay(day, -1), shiftDay(day, 1)];
  useKeys(
    {
      "[": () => go("today", undefined, toQuery(before)),
      "]": () => {
        if (!isToday) go("today", undefined, toQuery(after));
      },
    },
    [day.name],
  );
  return (
    <header class="today-head">
      <h1>{formatDate(day.from, now.value)}</h1>
      <nav aria-label="Days">
        <a class="button" href={makeHash("today", undefined, toQuery(before))}>
          ‹ <span class="visually-hidden">Day before</span>
        </a>
        {!isToday && (
          <>
            <a class="button" href={makeHash("today", undefined, toQuery(after))}>
              › <span class="visually-hidden">Day after</span>
            </a>
            <a class="button" href={makeHash("today")}>
              Today
            </a>
          </>
        )}
      </nav>
    </header>
  );
}
