import { useState } from "preact/hooks";
import type { ConfigView } from "../../../protocol/config.ts";
import { call } from "../../data/api.ts";
import { say } from "../../data/toasts.ts";
import { Trouble } from "../../parts/empty.tsx";

type Setting = ConfigView["keys"][number];

interface SettingRowProps {
  setting: Setting;
  value: unknown;
  source: string;
}

/** One setting. What is saved here stands in config.json and holds from the next start of the daemon on. */
export function SettingRow({ setting, value, source }: SettingRowProps) {
  const { path, description, env } = setting;
  const [draft, setDraft] = useState(toText(value));
  const [saved, setSaved] = useState(toText(value));
  const [from, setFrom] = useState(source);
  const [error, setError] = useState<unknown>(undefined);
  const isFixed = from === "environment";
  const id = `setting-${path}`;

  async function save(next: unknown): Promise<void> {
    try {
      const view = await call<ConfigView>("PATCH", "/api/config", { [path]: next });
      const text = toText(view.values[path]);
      setError(undefined);
      setDraft(text);
      setSaved(text);
      setFrom(view.sources[path] ?? "default");
      say(`${path} is saved. It holds from the next \`rookery restart\` on.`);
    } catch (thrown) {
      setError(thrown);
    }
  }

  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault();
        void save(fromText(draft, setting.default));
      }}
    >
      <label for={id}>
        <code>{path}</code> <span class={`source source-${from}`}>{from}</span>
      </label>
      <p class="faint" id={`${id}-about`}>
        {description} Default <code>{toText(setting.default).replaceAll("\n", ", ") || "none"}</code>,
        variable <code>{env}</code>.
      </p>
      <Field id={id} usual={setting.default} draft={draft} isFixed={isFixed} onDraft={setDraft} />
      {isFixed && <p class="faint">Set by its variable, which wins over the file.</p>}
      {error !== undefined && <Trouble error={error} />}
      {(draft !== saved || from === "file") && (
        <p class="actions">
          {draft !== saved && (
            <button type="submit" class="primary">
              Save
            </button>
          )}
          {from === "file" && (
            <button type="button" class="quiet" onClick={() => void save(null)}>
              Back to the default
            </button>
          )}
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  id: string;
  usual: unknown;
  draft: string;
  isFixed: boolean;
  onDraft(text: string): void;
}

function Field({ id, usual, draft, isFixed, onDraft }: FieldProps) {
  const shared = { id, "aria-describedby": `${id}-about`, disabled: isFixed };
  if (typeof usual === "boolean")
    return (
      <select {...shared} value={draft} onChange={(event) => onDraft(event.currentTarget.value)}>
        <option value="true">on</option>
        <option value="false">off</option>
      </select>
    );
  if (Array.isArray(usual))
    return (
      <textarea
        {...shared}
        rows={Math.min(8, draft.split("\n").length + 1)}
        value={draft}
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
    );
  return (
    <input
      {...shared}
      inputMode={typeof usual === "number" ? "decimal" : "text"}
      value={draft}
      onInput={(event) => onDraft(event.currentTarget.value)}
    />
  );
}

/** One line an item. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As the kind of thing that the default is. */
function fromText(text: string, usual: unknown): unknown {
  if (typeof usual === "boolean") return text === "true";
  if (typeof usual === "number") return text.trim() === "" ? null : Number(text);
  if (!Array.isArray(usual)) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
