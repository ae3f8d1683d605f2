import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionView } from "../../protocol/api.ts";
import { call } from "../data/api.ts";
import { now } from "../data/clock.ts";
import { useResource } from "../data/resource.ts";
import { makeHash, replaceRoute, route } from "../data/route.ts";
import { splitMinWidth, useFirst } from "../data/use-first.ts";
import { useSettled } from "../data/use-settled.ts";
import { showError } from "../data/toasts.ts";
import { formatCount, formatDate } from "../data/format.ts";
import { Choice } from "../parts/choice.tsx";
import { Empty, Loading } from "../parts/empty.tsx";
import { Split } from "../parts/split.tsx";
import { Age, Line, OnBranch } from "../parts/text.tsx";
import { Story } from "./sessions/story.tsx";

const pageSize = 50;

export function Sessions() {
  const { id } = route.value;
  return (
    <Split
      title="Sessions"
      listName="Sessions"
      detailName="Story"
      isOpen={id !== undefined}
      list={<SessionList selected={id} />}
      detail={
        id === undefined ? (
          <div class="hint">
            <p>Pick a session to see its prompts, tool uses and results, turn by turn.</p>
          </div>
        ) : (
          <Story key={id} id={id} />
        )
      }
    />
  );
}

function SessionList({ selected }: { selected: string | undefined }) {
  const { q = "", project = "" } = route.value.query;
  const settled = useSettled({ q: q.trim(), project });
  // A new search starts with a new list.
  return (
    <>
      <SessionFilters selected={selected} q={q} project={project} />
      <FoundSessions key={JSON.stringify(settled)} {...{ selected, ...settled }} />
    </>
  );
}

interface FilterProps {
  selected: string | undefined;
  q: string;
  project: string;
}

function SessionFilters({ selected, q, project }: FilterProps) {
  const { data } = useResource("GET /api/projects", {}, ({ type }) => type === "session.started");
  const set = (change: Record<string, string>): void =>
    replaceRoute("sessions", selected, { q, project, ...change });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search sessions"
        placeholder="Search sessions …  /"
        value={q}
        onInput={(event) => set({ q: event.currentTarget.value })}
      />
      <Choice
        label="Project"
        value={project}
        onChoose={(value) => set({ project: value })}
        options={Object.fromEntries((data?.projects ?? []).map(({ id, name }) => [id, name]))}
      />
    </form>
  );
}

function FoundSessions({ selected, q, project }: FilterProps) {
  const filter = { q: q || undefined, project: project || undefined };
  const { data, error } = useResource(
    "GET /api/sessions",
    { query: { limit: pageSize, ...filter } },
    ({ type }) => type.startsWith("session.") || type === "turn.ended",
  );
  const [older, setOlder] = useState<SessionView[]>([]);
  const [isEnd, setEnd] = useState(false);
  useFirst("sessions", data?.sessions[0]?.id, splitMinWidth);
  const isLoading = useRef(false);
  const newest = data?.sessions ?? [];
  const known = new Set(newest.map((session) => session.id));
  const all = [...newest, ...older.filter((session) => !known.has(session.id))];
  const last = all.at(-1)?.id;

  const loadMore = (): void => {
    if (isLoading.current || last === undefined) return;
    isLoading.current = true;
    loadOlder(last)
      .catch(showError)
      .finally(() => {
        isLoading.current = false;
      });
  };
  async function loadOlder(before: string): Promise<void> {
    const { sessions } = await call("GET /api/sessions", { query: { limit: pageSize, before, ...filter } });
    setOlder((list) => [...list, ...sessions]);
    setEnd(sessions.length < pageSize);
  }

  if (!data) return <Loading error={error} />;
  if (all.length === 0 && (q || project))
    return (
      <Empty title="No matching sessions">
        <p>All words must be in the title, a prompt, the agent's name or the branch.</p>
      </Empty>
    );
  if (all.length === 0)
    return (
      <Empty title="No sessions yet" isStart>
        <p>Every session of your coding agents appears here.</p>
        <p>
          Import earlier ones: <kbd>rookery import transcripts</kbd>
        </p>
      </Empty>
    );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="All sessions">
      {[...Map.groupBy(all, ({ lastEventAt }) => formatDate(lastEventAt, now.value))].map(
        ([day, sessions]) => (
          <section key={day} aria-label={day}>
            <h2 class="day-head">{day}</h2>
            <ul class="results">
              {sessions.map((session) => (
                <li key={session.id}>
                  <SessionRow session={session} isSelected={session.id === selected} query={{ q, project }} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {!isEnd && newest.length === pageSize && <More onSeen={loadMore} />}
    </div>
  );
}

/** Loads the next page when it becomes visible or is clicked. */
function More({ onSeen }: { onSeen(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) seen.current();
    });
    observer.observe(button.current as HTMLButtonElement);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="quiet" onClick={onSeen}>
      Older sessions
    </button>
  );
}

interface SessionRowProps {
  session: SessionView;
  isSelected: boolean;
  query: Record<string, string>;
}

function SessionRow({ session, isSelected, query }: SessionRowProps) {
  const { id, agent, hostLabel, title, asked, branch, status, counts, lastEventAt } = session;
  return (
    <a
      data-row
      class="row"
      href={makeHash("sessions", id, query)}
      aria-current={isSelected ? "true" : undefined}
    >
      <span class={`dot dot-${status}`} title={status} aria-hidden="true" />
      <span class="row-text">
        <span class="row-title">
          <Line text={title || asked || agent} />
        </span>
        <span class="row-meta">
          <Line text={agent} />
          <OnBranch branch={branch} /> · {hostLabel && `${hostLabel} · `}
          {status === "active" ? "active" : "ended"} · <Age at={lastEventAt} />
        </span>
        <span class="row-meta">
          {formatCount(counts.prompts, "prompt")}, {formatCount(counts.toolUses, "tool use")},{" "}
          {formatCount(counts.notes, "note")}
        </span>
      </span>
    </a>
  );
}
