import type { SettingView } from "../../../protocol/config.ts";

interface SettingFieldProps {
  id: string;
  setting: SettingView;
  draft: string;
  isFixed: boolean;
  isWrong: boolean;
  onDraft(text: string): void;
}

/** The input for the type of a setting. */
export function SettingField({ id, setting, draft, isFixed, isWrong, onDraft }: SettingFieldProps) {
  const { default: defaultValue, choices } = setting;
  const shared = {
    id,
    "aria-describedby": isWrong ? `${id}-about ${id}-error` : `${id}-about`,
    "aria-invalid": isWrong,
    disabled: isFixed,
    value: draft,
  };
  const options = typeof defaultValue === "boolean" ? switchOptions : choices;
  if (options)
    return (
      <select {...shared} onChange={(event) => onDraft(event.currentTarget.value)}>
        {options.map(({ value, name = value }: { value: string; name?: string }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    );
  if (Array.isArray(defaultValue))
    return (
      <textarea
        {...shared}
        rows={Math.min(8, draft.split("\n").length + 1)}
        placeholder="one per line"
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
    );
  return (
    <input
      {...shared}
      inputMode={typeof defaultValue === "number" ? "decimal" : "text"}
      onInput={(event) => onDraft(event.currentTarget.value)}
    />
  );
}

const switchOptions = [
  { value: "true", name: "on" },
  { value: "false", name: "off" },
];

/** Lists have one item per line. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Converts to the type of the default. Invalid numbers are sent unchanged, so that the daemon reports the error. */
export function fromText(text: string, defaultValue: unknown): unknown {
  if (typeof defaultValue === "boolean") return text === "true";
  if (typeof defaultValue === "number" || defaultValue === null) {
    if (text.trim() === "") return null;
    return Number.isNaN(Number(text)) ? text : Number(text);
  }
  if (!Array.isArray(defaultValue)) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
