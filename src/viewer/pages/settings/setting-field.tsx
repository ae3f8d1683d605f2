import type { SettingView } from "../../../protocol/config.ts";

interface SettingFieldProps {
  id: string;
  setting: SettingView;
  draft: string;
  isFixed: boolean;
  isWrong: boolean;
  onDraft(text: string): void;
}

/** The field that fits what a setting takes. */
export function SettingField({ id, setting, draft, isFixed, isWrong, onDraft }: SettingFieldProps) {
  const { default: usual, choices } = setting;
  const shared = {
    id,
    "aria-describedby": isWrong ? `${id}-about ${id}-error` : `${id}-about`,
    "aria-invalid": isWrong,
    disabled: isFixed,
    value: draft,
  };
  const options = typeof usual === "boolean" ? switchOptions : choices;
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
  if (Array.isArray(usual))
    return (
      <textarea
        {...shared}
        rows={Math.min(8, draft.split("\n").length + 1)}
        placeholder="one a line"
        onInput={(event) => onDraft(event.currentTarget.value)}
      />
    );
  return (
    <input
      {...shared}
      inputMode={typeof usual === "number" ? "decimal" : "text"}
      onInput={(event) => onDraft(event.currentTarget.value)}
    />
  );
}

const switchOptions = [
  { value: "true", name: "on" },
  { value: "false", name: "off" },
];

/** One line an item. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As the kind of thing that the default is. What is no number is sent as it is: the daemon says what fits. */
export function fromText(text: string, usual: unknown): unknown {
  if (typeof usual === "boolean") return text === "true";
  if (typeof usual === "number" || usual === null) {
    if (text.trim() === "") return null;
    return Number.isNaN(Number(text)) ? text : Number(text);
  }
  if (!Array.isArray(usual)) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
