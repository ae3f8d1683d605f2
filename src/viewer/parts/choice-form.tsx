import { useState } from "preact/hooks";
import type { QuestionView } from "../../protocol/ask.ts";
import type { Answer } from "../data/questions.ts";
import { Line, Prose } from "./text.tsx";

type Prompt = QuestionView["prompts"][number];

interface ChoiceFormProps {
  prompts: Prompt[];
  onAnswer(answer: Answer): void;
}

/** One click answers a single question with options; several questions, several choices, or own words are sent together. */
export function ChoiceForm({ prompts, onAnswer }: ChoiceFormProps) {
  const [chosen, setChosen] = useState<string[][]>(prompts.map(() => []));
  const [own, setOwn] = useState<string[]>(prompts.map(() => ""));
  const [only] = prompts;
  const isQuick = prompts.length === 1 && only !== undefined && !only.isMulti && only.options.length > 0;
  const answers = prompts.map((prompt, i) => answerOf(prompt, chosen[i] ?? [], own[i] ?? ""));
  const isWhole = answers.every((answer) => answer.length > 0);
  const replace = <T,>(list: T[], at: number, value: T): T[] =>
    list.map((old, i) => (i === at ? value : old));
  const toggle = (place: number, label: string): void => {
    if (isQuick) return onAnswer({ answers: [[label]] });
    const before = chosen[place] ?? [];
    const others = prompts[place]?.isMulti ? before.filter((other) => other !== label) : [];
    setChosen(replace(chosen, place, before.includes(label) ? others : [...others, label]));
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onAnswer({ answers });
      }}
    >
      {prompts.map((prompt, i) => (
        <div key={i} class="prompt">
          {prompt.header && prompts.length > 1 && <Line class="prompt-header" text={prompt.header} />}
          <Prose text={prompt.text} />
          {prompt.isMulti && <p class="faint">Several may be chosen.</p>}
          <div class="options">
            {prompt.options.map((option, number) => (
              <Option
                key={option.label}
                {...option}
                digit={prompts.length === 1 && number < 9 ? number + 1 : undefined}
                isOn={isQuick ? undefined : (chosen[i] ?? []).includes(option.label)}
                onChoose={() => toggle(i, option.label)}
              />
            ))}
          </div>
          <input
            aria-label="In your own words"
            placeholder={prompt.options.length > 0 ? "Or in your own words" : "Your answer"}
            value={own[i]}
            onInput={(event) => setOwn(replace(own, i, event.currentTarget.value))}
          />
        </div>
      ))}
      {(!isQuick || own[0]?.trim()) && (
        <button type="submit" class="primary" disabled={!isWhole}>
          Answer
        </button>
      )}
    </form>
  );
}

interface OptionProps {
  label: string;
  description: string | null;
  digit: number | undefined;
  /** Undefined where one click is the answer. */
  isOn: boolean | undefined;
  onChoose(): void;
}

function Option({ label, description, digit, isOn, onChoose }: OptionProps) {
  return (
    <button type="button" class="option" aria-pressed={isOn} onClick={onChoose}>
      <span>
        <Line text={label} /> {digit !== undefined && <kbd aria-hidden="true">{digit}</kbd>}
      </span>
      {description && <Line class="faint" text={description} />}
    </button>
  );
}

/** Own words take the place of an option; where several may be chosen they are one more. */
function answerOf({ isMulti }: Prompt, chosen: string[], own: string): string[] {
  const words = own.trim() === "" ? [] : [own.trim()];
  if (isMulti) return [...chosen, ...words];
  return words.length > 0 ? words : chosen;
}
