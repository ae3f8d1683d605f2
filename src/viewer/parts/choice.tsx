import { revealInvisible } from "../data/format.ts";

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: Record<string, string>;
  onChoose(value: string): void;
}

/** A filter with one choice, or any. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      class={value ? "is-set" : ""}
      value={value ?? ""}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{label}: any</option>
      {Object.entries(options).map(([key, name]) => (
        <option key={key} value={key}>
          {revealInvisible(name)}
        </option>
      ))}
    </select>
  );
}
