import { useEffect, useState } from "preact/hooks";
import type { SettingView } from "../../../protocol/config.ts";
import { call } from "../../data/api.ts";
import { showToast } from "../../data/toasts.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { Line } from "../../parts/text.tsx";
import { fromText, SettingField, toText } from "./setting-field.tsx";

interface SettingRowProps {
  setting: SettingView;
  value: unknown;
  source: string;
  /** Saved, but the daemon still uses the previous value. */
  isWaiting: boolean;
  /** Changed without a person; not in effect until a person accepts it. */
  isUnconfirmed: boolean;
  onSaved(): void;
}

/** One setting. Saving writes config.json; the value takes effect after a restart of the daemon. */
export function SettingRow({ setting, value, source, isWaiting, isUnconfirmed, onSaved }: SettingRowProps) {
  const { path, description, env, choices, min, max } = setting;
  const [draft, setDraft] = useState(toText(value));
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => setDraft(toText(value)), [toText(value)]);
  const isFixed = source === "environment";
  const isChanged = draft !== toText(value);
  const id = `setting-${path}`;
  const meaning = choices?.find((choice) => choice.value === draft)?.meaning;

  async function save(next: unknown): Promise<void> {
    try {
      await call("PATCH /api/config", { body: { [path]: next } });
      setError(undefined);
      showToast(`Saved ${path}.`);
      onSaved();
    } catch (thrown) {
      setError(thrown);
    }
  }

  return (
    <form
      class="setting"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(fromText(draft, setting.default));
      }}
    >
      <label for={id}>
        <code>{path}</code> <span class={`source source-${source}`}>{source}</span>
        {isUnconfirmed && <span class="source source-waiting">not confirmed</span>}
        {isWaiting && !isUnconfirmed && <span class="source source-waiting">after a restart</span>}
      </label>
      <p class="faint" id={`${id}-about`}>
        <Line text={description} /> {formatRange(min, max)}Default{" "}
        <code>{describeDefault(setting.default)}</code>, variable <code>{env}</code>.
      </p>
      <div class="setting-field">
        <SettingField
          {...{ id, setting, draft, isFixed }}
          isWrong={error !== undefined}
          onDraft={(text) => {
            setDraft(text);
            setError(undefined);
          }}
        />
        {meaning && <p class="faint">{meaning}</p>}
        {error !== undefined && <ErrorMessage error={error} id={`${id}-error`} />}
        {isFixed && <p class="faint">Set by the environment variable, which overrides the file.</p>}
        {(isChanged || isUnconfirmed || source === "file") && (
          <p class="actions">
            {isUnconfirmed && !isChanged && (
              <button type="button" onClick={() => void save(value)}>
                Accept
              </button>
            )}
            {isChanged && (
              <button type="submit" class="primary">
                Save
              </button>
            )}
            {source === "file" && (
              <button type="button" class="quiet" onClick={() => void save(null)}>
                Reset to default
              </button>
            )}
          </p>
        )}
      </div>
    </form>
  );
}

function formatRange(min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `From ${min} to ${max}. `;
  return min !== null && min !== 0 ? `At least ${min}. ` : "";
}

/** In the words of its field. */
function describeDefault(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return toText(value).replaceAll("\n", ", ") || "none";
}
