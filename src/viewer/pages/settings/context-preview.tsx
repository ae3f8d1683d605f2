import { useState } from "preact/hooks";
import type { ConfigView } from "../../../protocol/config.ts";
import type { ProjectView } from "../../../protocol/memory.ts";
import { useResource } from "../../data/resource.ts";
import { formatCount, revealInvisible } from "../../data/format.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { Line, Prose } from "../../parts/text.tsx";

const limits = {
  notes: { name: "Rows", setting: "context.observations", step: 5 },
  summaries: { name: "Sessions", setting: "context.summaries", step: 1 },
  tokens: { name: "Tokens", setting: "context.tokens", step: 50 },
} as const;
type Limit = keyof typeof limits;
const limitNames = Object.keys(limits) as Limit[];

interface ContextPreviewProps {
  projects: ProjectView[];
  config: ConfigView;
}

/** A preview of the next session's context, optionally with limits that are not saved yet. */
export function ContextPreview({ projects, config: { values, running, keys } }: ContextPreviewProps) {
  const busiest = projects.toSorted((a, b) => b.notes - a.notes)[0];
  const [project, setProject] = useState(busiest?.id ?? "");
  const [tried, setTried] = useState<Partial<Record<Limit, number>>>({});
  const { data, error } = useResource(
    "GET /api/context",
    { query: { project, ...tried } },
    ({ type }) => type === "observation.stored" || type === "summary.stored",
  );
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title">Context of the next session</h2>
      <div class="preview-controls">
        <label>
          Project
          <select value={project} onChange={(event) => setProject(event.currentTarget.value)}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {revealInvisible(name)}
              </option>
            ))}
          </select>
        </label>
        {limitNames.map((name) => {
          const { setting: path } = limits[name];
          const value = tried[name] ?? Number(running[path] ?? values[path] ?? 0);
          return (
            <label key={name}>
              {limits[name].name}: {value}
              <input
                type="range"
                min={0}
                max={keys.find((key) => key.path === path)?.max ?? undefined}
                step={limits[name].step}
                value={value}
                onInput={(event) => setTried({ ...tried, [name]: Number(event.currentTarget.value) })}
              />
            </label>
          );
        })}
      </div>
      {error && <ErrorMessage error={error} />}
      {data && (
        <>
          <p class="faint" aria-live="polite">
            About {formatCount(data.tokens, "token")}. The sliders only change this preview.
          </p>
          {data.text === "" ? (
            <p class="faint">Empty: there are no notes, or the limits are too low.</p>
          ) : (
            <div class="preview" tabIndex={0} role="region" aria-label="Preview">
              <Prose class="code" text={data.text} />
            </div>
          )}
          {data.rows.length > 0 && (
            <details>
              <summary>Why each row is included</summary>
              <ul class="facts">
                {data.rows.map(({ section, id, text, score, parts }) => (
                  <li key={`${section} ${id} ${text}`}>
                    <Line text={text} />{" "}
                    <span class="faint">
                      {section}, score {score.toFixed(2)}
                      {Object.entries(parts).map(([name, factor]) => ` · ${name} ${factor.toFixed(2)}`)}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </section>
  );
}
