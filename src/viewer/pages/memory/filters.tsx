import type { MemoryKind } from "../../../protocol/memory-kinds.ts";
import type { BrowseFilter } from "../../data/note-pages.ts";
import { useResource } from "../../data/resource.ts";
import { replaceRoute } from "../../data/route.ts";
import { Choice } from "../../parts/choice.tsx";
import { noteTypes } from "../../parts/type-mark.tsx";
import { dayMs } from "../../../shared/clock.ts";

const periods: Record<string, { name: string; days: number }> = {
  day: { name: "Last 24 hours", days: 1 },
  week: { name: "Last 7 days", days: 7 },
  month: { name: "Last 30 days", days: 30 },
  year: { name: "Last year", days: 365 },
};
const between = "between";
const kinds: Record<MemoryKind, string> = {
  note: "Notes",
  summary: "Summaries",
  prompt: "Prompts",
  question: "Questions",
  message: "Messages",
};
type Query = Record<string, string>;

/** Converts the query of the address to API parameters; unknown kinds and types are ignored. */
export function readFilter({ kind = "", project, type, file, period, since, until }: Query): BrowseFilter {
  return {
    kind: isKind(kind) ? kind : undefined,
    type: noteTypes.find((known) => known === type),
    project,
    file,
    ...readPeriod(period, since, until),
  };
}

function isKind(kind: string): kind is MemoryKind {
  return Object.hasOwn(kinds, kind);
}

function readPeriod(period = "", since = "", until = ""): Pick<BrowseFilter, "from" | "to"> {
  if (period === between) return { from: startOf(since, 0), to: startOf(until, 1) };
  const days = periods[period]?.days;
  if (days === undefined) return { from: undefined, to: undefined };
  // Rounded to the minute, so that the same filter makes the same request.
  return { from: String(Math.floor(Date.now() / 60_000) * 60_000 - days * dayMs), to: undefined };
}

/** Start of a local day, or the last millisecond before the day `daysLater` days on. */
function startOf(date: string, daysLater: number): string | undefined {
  const [year, month, day] = date.split("-").map(Number);
  if (!year || !month || !day) return undefined;
  return String(new Date(year, month - 1, day + daysLater).getTime() - (daysLater > 0 ? 1 : 0));
}

export function Filters({ id, query }: { id: string | undefined; query: Query }) {
  const { q, kind, project, type, file, period, since, until } = query;
  const { data } = useResource(
    "GET /api/projects",
    {},
    ({ type }) => type === "observation.stored" || type === "session.started",
  );
  const set = (change: Query): void => replaceRoute("memory", id, { ...query, ...change });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search memory …  /"
        value={q ?? ""}
        onInput={(event) => set({ q: event.currentTarget.value })}
      />
      <Choice
        label="Kind"
        value={kind}
        onChoose={(value) => set({ kind: value, type: "" })}
        options={kinds}
      />
      <Choice
        label="Type"
        value={type}
        onChoose={(value) => set({ type: value, kind: "" })}
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
        onChoose={(value) => set({ period: value, since: "", until: "" })}
        options={{
          ...Object.fromEntries(Object.entries(periods).map(([key, { name }]) => [key, name])),
          [between]: "Between two days",
        }}
      />
      {period === between && (
        <>
          <DateField label="From" value={since} onChoose={(value) => set({ since: value })} />
          <DateField label="To" value={until} onChoose={(value) => set({ until: value })} />
        </>
      )}
      <input
        type="text"
        aria-label="File"
        placeholder="File: any"
        value={file ?? ""}
        onChange={(event) => set({ file: event.currentTarget.value.trim() })}
      />
    </form>
  );
}

interface DateFieldProps {
  label: string;
  value: string | undefined;
  onChoose(value: string): void;
}

function DateField({ label, value, onChoose }: DateFieldProps) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}
