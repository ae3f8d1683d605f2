import { useEffect, useLayoutEffect } from "preact/hooks";
import { consent } from "../data/access.ts";
import {
  endSnooze,
  earlierExpanded,
  expandedId,
  groups,
  kindFilter,
  kindNames,
  projectFilter,
  projects,
  snoozedCount,
} from "../data/inbox.ts";
import { formatCount } from "../data/format.ts";
import { describeAskers, type QuestionGroup } from "../data/group-alike.ts";
import { markLayoutChange } from "../data/layout-guard.ts";
import { cards, openQuestions } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { truncate } from "../../shared/text.ts";
import { cardId, QuestionCard } from "./question-card.tsx";
import { Age, Line } from "./text.tsx";

interface InboxProps {
  title: string;
  /** The number of rows; the page of all questions shows the others. */
  max?: number;
}

/** Open questions, one line each; the front one is unfolded. Oldest first, so that a new one does not move the others. */
export function Inbox({ title, max = Infinity }: InboxProps) {
  const shown = groups.value;
  const open = shown.filter(({ questions: [{ state }] }) => state === "open");
  const front = open.find(({ id }) => id === expandedId.value) ?? open[0];
  const isSettled = (group: QuestionGroup): boolean => !open.includes(group);
  const listed = shown.filter((group, index) => index < max || group === front || isSettled(group));
  const layout = listed
    .map(({ id, questions: [{ state }, ...more] }) => `${id} ${state} ${more.length}`)
    .join();
  useLayoutEffect(markLayoutChange, [layout, front?.id]);
  useLayoutEffect(() => {
    if (!front) return;
    expandedId.value = front.id;
    earlierExpanded.add(front.id);
  }, [front?.id]);
  useEffect(() => {
    addEventListener("resize", markLayoutChange);
    return () => removeEventListener("resize", markLayoutChange);
  }, []);
  if (cards.value.length === 0) return null;
  return (
    <section aria-labelledby="inbox-title" class="asks">
      <h2 id="inbox-title">{title}</h2>
      <Summary />
      {consent.value === null && (
        <p class="faint">
          This tab can only read. To answer here, run <kbd>rookery open</kbd> in your own terminal.
        </p>
      )}
      <Filters />
      <ul class="inbox">
        {listed.map((group) => (
          <li key={group.id}>
            {group === front || (isSettled(group) && earlierExpanded.has(group.id)) ? (
              <QuestionCard group={group} />
            ) : (
              <Row group={group} />
            )}
          </li>
        ))}
      </ul>
      {listed.length < shown.length && (
        <a href={makeHash("questions")}>
          All{" "}
          {formatCount(
            shown.reduce((sum, group) => sum + group.questions.length, 0),
            "question",
          )}
        </a>
      )}
    </section>
  );
}

/** One line of fixed height. A screen reader announces it when a question arrives. */
function Summary() {
  const newest = openQuestions.value.reduce<(typeof openQuestions.value)[number] | undefined>(
    (best, question) => (best && best.createdAt >= question.createdAt ? best : question),
    undefined,
  );
  return (
    <p class="faint inbox-summary">
      <span role="status">
        {openQuestions.value.length === 0 ? "No open questions." : `${openQuestions.value.length} open`}
        {newest && openQuestions.value.length > 1 && (
          <>
            , newest from <Line text={newest.agent} />: <Line text={truncate(newest.title, 80)} />
          </>
        )}
      </span>
      {snoozedCount.value > 0 && (
        <button type="button" class="quiet" onClick={endSnooze}>
          Show {snoozedCount.value} snoozed
        </button>
      )}
    </p>
  );
}

/** Shown even for a single question: if they only appeared with the second one, they would move the first. */
function Filters() {
  return (
    <div class="inbox-filters">
      <select
        aria-label="Project"
        value={projectFilter.value}
        onChange={(event) => (projectFilter.value = event.currentTarget.value)}
      >
        <option value="">All projects</option>
        {projects.value.map((project) => (
          <option key={project}>{project}</option>
        ))}
      </select>
      <select
        aria-label="Kind"
        value={kindFilter.value}
        onChange={(event) => (kindFilter.value = event.currentTarget.value)}
      >
        <option value="">All kinds</option>
        {Object.entries(kindNames).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Row({ group }: { group: QuestionGroup }) {
  const { id, questions } = group;
  const [{ title, project, createdAt, danger, state, outcome }] = questions;
  const unfold = (): void => {
    expandedId.value = id;
    // The row is replaced by its card, which takes over the focus.
    requestAnimationFrame(() => document.getElementById(cardId(id))?.focus());
  };
  return (
    <button type="button" data-row class="inbox-row" aria-expanded={false} onClick={unfold}>
      <span class={danger && state === "open" ? "inbox-what inbox-danger" : "inbox-what"}>
        <Line text={(state === "open" ? title : (outcome ?? state)).slice(0, 300)} />
      </span>
      <span class="faint inbox-who">
        <Line text={describeAskers(group)} /> · <Line text={project} /> · <Age at={createdAt} />
      </span>
    </button>
  );
}
