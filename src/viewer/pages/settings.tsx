import type { ConfigView, SettingView } from "../../protocol/config.ts";
import { useResource } from "../data/resource.ts";
import { replaceRoute, route } from "../data/route.ts";
import { formatCount } from "../data/format.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { ContextPreview } from "./settings/context-preview.tsx";
import { ProjectSwitches } from "./settings/project-switches.tsx";
import { SettingRow } from "./settings/setting-row.tsx";

/** All settings: their effect, value and source. */
export function Settings() {
  const config = useResource("GET /api/config", {});
  const projects = useResource("GET /api/projects", {}, ({ type }) => type === "session.started");
  const { q = "", changed = "" } = route.value.query;
  const set = (change: Record<string, string>): void =>
    replaceRoute("settings", undefined, { q, changed, ...change });
  const list = projects.data?.projects ?? [];
  return (
    <div class="page">
      <h1>Settings</h1>
      <form class="settings-search" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search settings"
          placeholder="Search settings …  /"
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
      {!config.data && <Loading error={config.error} />}
      {config.data && <RestartNote config={config.data} />}
      {q === "" && changed === "" && list.length > 0 && config.data && (
        <>
          <ContextPreview projects={list} config={config.data} />
          <ProjectSwitches projects={list} onChanged={projects.reload} />
        </>
      )}
      {projects.data && list.length === 0 && q === "" && (
        <Empty title="No projects yet">
          <p>
            A folder becomes a project with its first session. You can then isolate it or switch it off here,
            and preview the context of its next session.
          </p>
        </Empty>
      )}
      {config.data && <Keys config={config.data} {...{ q, changed }} onSaved={config.reload} />}
    </div>
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
  q: string;
  changed: string;
  onSaved(): void;
}

function Keys({ config, q, changed, onSaved }: KeysProps) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ path, description, env }: SettingView): boolean =>
    words.every((word) => `${path} ${env} ${description}`.toLowerCase().includes(word)) &&
    (changed === "" || config.sources[path] !== "default");
  const groups = Map.groupBy(config.keys.filter(matches), ({ path }) =>
    path.includes(".") ? path.slice(0, path.indexOf(".")) : "daemon",
  );
  if (groups.size === 0) return <p class="faint">No matching settings.</p>;
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
