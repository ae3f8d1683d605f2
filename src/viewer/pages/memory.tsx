import type { ProjectView } from "../../protocol/memory.ts";
import { useResource } from "../data/resource.ts";
import { replaceRoute, route } from "../data/route.ts";
import { Split } from "../parts/split.tsx";
import { noteTypes } from "../parts/type-mark.tsx";
import { BrowseList } from "./memory/browse-list.tsx";
import { NoteDetail } from "./memory/note-detail.tsx";
import { SearchList } from "./memory/search-list.tsx";

const periods: Record<string, { name: string; days: number }> = {
  day: { name: "Last 24 hours", days: 1 },
  week: { name: "Last 7 days", days: 7 },
  month: { name: "Last 30 days", days: 30 },
  year: { name: "Last year", days: 365 },
};
const kinds = { observation: "Notes", summary: "Summaries", prompt: "Prompts" };

/** From when on, rounded to the minute: the same filter stays the same request. */
function startOf(period: string | undefined): string | undefined {
  const days = periods[period ?? ""]?.days;
  if (days === undefined) return undefined;
  return String(Math.floor(Date.now() / 60_000) * 60_000 - days * 24 * 3600_000);
}

export function Memory() {
  const { id, query } = route.value;
  const { q, kind, project, type, file, period } = query;
  const { data } = useResource<{ projects: ProjectView[] }>("/api/projects");
  const set = (change: Record<string, string>): void => replaceRoute("memory", id, { ...query, ...change });
  const filter = { project, type, file, from: startOf(period), to: undefined };

  return (
    <Split
      title="Memory"
      listName="Notes"
      detailName="Note"
      isOpen={id !== undefined}
      list={
        <>
          <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
            <input
              type="search"
              aria-label="Search"
              placeholder="Search notes, summaries, prompts …  /"
              value={q ?? ""}
              onInput={(event) => set({ q: event.currentTarget.value })}
            />
            <Choice
              label="Kind"
              value={kind}
              onChoose={(value) => set({ kind: value })}
              options={kinds}
              isOff={!q}
            />
            <Choice
              label="Type"
              value={type}
              onChoose={(value) => set({ type: value })}
              options={Object.fromEntries(noteTypes.map((name) => [name, name]))}
            />
            <Choice
              label="Project"
              value={project}
              onChoose={(value) => set({ project: value })}
              options={Object.fromEntries((data?.projects ?? []).map(({ id: key, name }) => [key, name]))}
            />
            <Choice
              label="Time"
              value={period}
              onChoose={(value) => set({ period: value })}
              options={Object.fromEntries(Object.entries(periods).map(([key, { name }]) => [key, name]))}
            />
            <input
              type="text"
              aria-label="File"
              placeholder="File"
              value={file ?? ""}
              onChange={(event) => set({ file: event.currentTarget.value.trim() })}
            />
          </form>
          {q?.trim() ? (
            <SearchList filter={{ ...filter, q, kind }} selected={id} query={query} />
          ) : (
            <BrowseList filter={filter} selected={id} query={query} />
          )}
        </>
      }
      detail={id === undefined ? <Hint /> : <NoteDetail key={id} id={id} />}
    />
  );
}

function Hint() {
  return (
    <div class="hint">
      <p>Choose a note to read it whole, with what it was made of and where it came back.</p>
      <p>
        <kbd>j</kbd> <kbd>k</kbd> through the list, <kbd>Enter</kbd> opens, <kbd>/</kbd> searches.
      </p>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: Record<string, string>;
  isOff?: boolean;
  onChoose(value: string): void;
}

function Choice({ label, value, options, isOff = false, onChoose }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      disabled={isOff}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{label}: any</option>
      {Object.entries(options).map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}
