import { useState } from "preact/hooks";
import type { ProjectView } from "../../../protocol/memory.ts";
import { call } from "../../data/api.ts";
import { showError, showToast } from "../../data/toasts.ts";
import { formatCount, revealInvisible } from "../../data/format.ts";
import { Line } from "../../parts/text.tsx";

interface ProjectSwitchesProps {
  projects: ProjectView[];
  onChanged(): void;
}

const modes = {
  on: "sessions are captured and notes recalled",
  isolated: "searches find its notes only when they name the project",
  off: "nothing is captured or recalled, and its agents have no mail",
} as const;

const leaseModes = {
  warn: "warn when an agent edits a file that another has claimed",
  block: "deny edits of files that another agent has claimed",
} as const;

const pageSize = 25;
/** Fewer projects need no search. */
const minSearched = 6;

/** Per-project settings, for the busiest projects first. They take effect at once. */
export function ProjectSwitches({ projects, onChanged }: ProjectSwitchesProps) {
  const [words, setWords] = useState("");
  const [limit, setLimit] = useState(pageSize);
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = projects
    .filter(({ name, path }) => parts.every((part) => `${name} ${path}`.toLowerCase().includes(part)))
    .toSorted((a, b) => b.notes - a.notes || (a.name < b.name ? -1 : 1));
  return (
    <section aria-labelledby="projects-title">
      <h2 id="projects-title">Projects</h2>
      {projects.length >= minSearched && (
        <input
          class="project-search"
          type="search"
          aria-label="Search projects"
          placeholder={`Search ${formatCount(projects.length, "project")} …`}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && <p class="faint">No project has this name or path.</p>}
      <ul class="projects">
        {found.slice(0, limit).map((project) => (
          <li key={project.id}>
            <Project project={project} onChanged={onChanged} />
          </li>
        ))}
      </ul>
      {found.length > limit && (
        <button type="button" onClick={() => setLimit(limit * 4)}>
          {formatCount(found.length - limit, "more project")}
        </button>
      )}
    </section>
  );
}

function Project({ project, onChanged }: { project: ProjectView; onChanged(): void }) {
  const { id, name, path, notes } = project;
  const [{ mode, leases }, setShown] = useState({ mode: project.mode, leases: project.leases });
  async function change(patch: Partial<Pick<ProjectView, "mode" | "leases">>, words: string): Promise<void> {
    setShown({ mode, leases, ...patch });
    try {
      await call("PATCH /api/projects/:id", { params: { id }, body: patch });
      showToast(`${name}: ${words}.`);
      onChanged();
    } catch (error) {
      setShown({ mode, leases });
      showError(error);
    }
  }
  return (
    <div class="project">
      <p class="project-name">
        <strong>
          <Line text={name} />
        </strong>{" "}
        <span class="faint">{formatCount(notes, "note")}</span>
        <br />
        <Line class="faint" text={path} />
      </p>
      <Switch
        {...{ id, name: "Memory", of: name, options: modes, value: mode }}
        onChoose={(next) => void change({ mode: next }, modes[next])}
      />
      <Switch
        {...{ id, name: "Leases", of: name, options: leaseModes, value: leases }}
        onChoose={(next) => void change({ leases: next }, leaseModes[next])}
      />
    </div>
  );
}

interface SwitchProps<Option extends string> {
  id: string;
  name: string;
  of: string;
  options: Record<Option, string>;
  value: Option;
  onChoose(next: Option): void;
}

function Switch<Option extends string>({ id, name, of, options, value, onChoose }: SwitchProps<Option>) {
  return (
    <fieldset class="switch">
      <legend>
        {name}
        <span class="visually-hidden"> of {revealInvisible(of)}</span>
      </legend>
      <span class="segments">
        {(Object.keys(options) as Option[]).map((option) => (
          <label key={option} title={options[option]}>
            <input
              type="radio"
              name={`${name}-${id}`}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span>{option}</span>
          </label>
        ))}
      </span>
      <span class="faint">{options[value]}</span>
    </fieldset>
  );
}
