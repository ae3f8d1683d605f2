import { useState } from "preact/hooks";
import type { ConfigView } from "../../protocol/config.ts";
import type { ProjectView } from "../../protocol/memory.ts";
import { call } from "../data/api.ts";
import { useResource } from "../data/resource.ts";
import { complain, say } from "../data/toasts.ts";
import { sayCount } from "../data/words.ts";
import { Trouble, Waiting } from "../parts/empty.tsx";
import { Line } from "../parts/text.tsx";
import { ContextPreview } from "./settings/context-preview.tsx";
import { SettingRow } from "./settings/setting-row.tsx";

/** Every switch, what it does and where its value comes from. */
export function Settings() {
  const config = useResource<ConfigView>("/api/config");
  const projects = useResource<{ projects: ProjectView[] }>("/api/projects");
  return (
    <div class="page">
      <h1>Settings</h1>
      {config.error && !config.data && <Trouble error={config.error} />}
      {!config.data && !config.error && <Waiting />}
      {config.data && <Keys config={config.data} />}
      <section aria-labelledby="projects-title">
        <h2 id="projects-title">Projects</h2>
        <p class="faint">
          Off: nothing is captured or brought back. Isolated: its notes stay out of searches that do not name
          it.
        </p>
        {projects.data?.projects.length === 0 && (
          <p class="faint">The first session in a folder makes it a project.</p>
        )}
        <ul class="projects">
          {projects.data?.projects.map((project) => (
            <li key={project.id}>
              <ProjectSwitch project={project} onChanged={projects.reload} />
            </li>
          ))}
        </ul>
      </section>
      {config.data && projects.data && projects.data.projects.length > 0 && (
        <ContextPreview projects={projects.data.projects} values={config.data.values} />
      )}
    </div>
  );
}

function Keys({ config }: { config: ConfigView }) {
  const groups = Map.groupBy(config.keys, ({ path }) =>
    path.includes(".") ? path.slice(0, path.indexOf(".")) : "daemon",
  );
  return (
    <>
      {[...groups].map(([group, keys]) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul class="settings">
            {keys.map((key) => (
              <li key={key.path}>
                <SettingRow
                  setting={key}
                  value={config.values[key.path]}
                  source={config.sources[key.path] ?? "default"}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const modes = ["on", "isolated", "off"] as const;

function ProjectSwitch({ project, onChanged }: { project: ProjectView; onChanged(): void }) {
  const { id, name, path, mode, observations } = project;
  const [chosen, setChosen] = useState(mode);
  async function choose(next: ProjectView["mode"]): Promise<void> {
    setChosen(next);
    try {
      await call("PATCH", `/api/projects/${encodeURIComponent(id)}`, { mode: next });
      say(`${name} is ${next}.`);
      onChanged();
    } catch (error) {
      setChosen(mode);
      complain(error);
    }
  }
  return (
    <fieldset class="switch">
      <legend>
        <Line text={name} /> <span class="faint">{sayCount(observations, "note")}</span>
        <br />
        <Line class="faint" text={path} />
      </legend>
      {modes.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={`mode-${id}`}
            checked={option === chosen}
            onChange={() => void choose(option)}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
