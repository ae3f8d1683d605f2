import { useEffect, useRef } from "preact/hooks";
import type { ConfigView, SettingView } from "../../protocol/config.ts";
import type { ProjectView } from "../../protocol/memory.ts";
import { useResource } from "../data/resource.ts";
import { makeHash, replaceRoute, route } from "../data/route.ts";
import { formatCount } from "../data/format.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { ContextPreview } from "./settings/context-preview.tsx";
import { ProjectSwitches } from "./settings/project-switches.tsx";
import {
  groupOf,
  nameGroup,
  readSection,
  type Section,
  sectionNames,
  sectionOf,
  sections,
} from "./settings/sections.ts";
import { SettingRow } from "./settings/setting-row.tsx";
import { Sharing } from "./settings/sharing.tsx";

/** All settings in sections: their effect, value and source. A search shows matches of all sections. */
export function Settings() {
  const config = useResource("GET /api/config", {});
  const projects = useResource("GET /api/projects", {}, ({ type }) => type === "session.started");
  const { id, query } = route.value;
  const { q = "", changed = "" } = query;
  const section = readSection(id);
  const set = (change: Record<string, string>): void =>
    replaceRoute("settings", id, { q, changed, ...change });
  const isSearch = q.trim() !== "" || changed !== "";
  return (
    <div class="page settings-page">
      <h1>Settings</h1>
      <form class="settings-search" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search settings"
          placeholder="Search all settings and projects …  /"
          value={q}
          onInput={(event) => set({ q: event.currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={changed === "1"}
            onChange={(event) => set({ changed: event.currentTarget.checked ? "1" : "" })}
          />
          only changed settings
        </label>
      </form>
      <Sections current={isSearch ? undefined : section} />
      <div class="settings-body">
        {!config.data && <Loading error={config.error} />}
        {config.data && <RestartNote config={config.data} />}
        {config.data && projects.data && (
          <Body
            config={config.data}
            projects={projects.data.projects}
            {...{ section, q, changed }}
            onSaved={config.reload}
            onProject={projects.reload}
          />
        )}
      </div>
    </div>
  );
}

/** Links, so that each section has its own address; `j` and `k` move through them. */
function Sections({ current }: { current: Section | undefined }) {
  const list = useRef<HTMLElement>(null);
  // On a narrow screen they are one row that scrolls.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [current]);
  return (
    <nav ref={list} class="sections" aria-label="Sections">
      <ul>
        {sectionNames.map((name) => (
          <li key={name}>
            <a
              data-row
              href={makeHash("settings", name)}
              aria-current={name === current ? "true" : undefined}
            >
              {sections[name].name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface BodyProps {
  config: ConfigView;
  projects: ProjectView[];
  section: Section;
  q: string;
  changed: string;
  onSaved(): void;
  onProject(): void;
}

function Body({ config, projects, section, q, changed, onSaved, onProject }: BodyProps) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const isSearch = words.length > 0 || changed !== "";
  const matches = (...texts: string[]): boolean =>
    words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const keys = config.keys.filter(({ path, description, env }) =>
    isSearch
      ? matches(path, env, description) && (changed === "" || config.sources[path] !== "default")
      : sectionOf(path) === section,
  );
  const found = changed === "" && isSearch ? projects.filter(({ name, path }) => matches(name, path)) : [];
  if (isSearch && keys.length + found.length === 0) return <p class="faint">No matching settings.</p>;
  return (
    <>
      {!isSearch && section === "context" && projects.length > 0 && (
        <ContextPreview projects={projects} config={config} />
      )}
      {!isSearch && section === "projects" && projects.length > 0 && (
        <ProjectSwitches projects={projects} onChanged={onProject} />
      )}
      {!isSearch && (section === "context" || section === "projects") && projects.length === 0 && (
        <NoProjects />
      )}
      <Keys {...{ config, keys, onSaved }} />
      {!isSearch && section === "storage" && <Sharing />}
      {found.length > 0 && <ProjectSwitches projects={found} onChanged={onProject} />}
    </>
  );
}

function NoProjects() {
  return (
    <Empty title="No projects yet">
      <p>
        A folder becomes a project with its first session. You can then isolate it or switch it off here, and
        preview the context of its next session.
      </p>
    </Empty>
  );
}

function RestartNote({ config: { running, unconfirmed } }: { config: ConfigView }) {
  const count = Object.keys(running).filter((path) => !unconfirmed.includes(path)).length;
  return (
    <>
      {unconfirmed.length > 0 && (
        <p class="superseded" role="status">
          {formatCount(unconfirmed.length, "setting was", "settings were")} changed without you:{" "}
          {unconfirmed.join(", ")}. Not in effect until you accept each one below.
        </p>
      )}
      {count > 0 && (
        <p class="superseded" role="status">
          {formatCount(count, "saved setting needs", "saved settings need")} a restart:{" "}
          <kbd>rookery restart</kbd>
        </p>
      )}
    </>
  );
}

interface KeysProps {
  config: ConfigView;
  keys: SettingView[];
  onSaved(): void;
}

function Keys({ config, keys: shown, onSaved }: KeysProps) {
  return (
    <>
      {[...Map.groupBy(shown, ({ path }) => groupOf(path))].map(([group, keys]) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{nameGroup(group)}</h2>
          <ul class="settings">
            {keys.map((key) => (
              <li key={key.path}>
                <SettingRow
                  setting={key}
                  value={config.values[key.path]}
                  source={config.sources[key.path] ?? "default"}
                  isWaiting={key.path in config.running}
                  isUnconfirmed={config.unconfirmed.includes(key.path)}
                  onSaved={onSaved}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
