import { useState } from "preact/hooks";
import type { QuestionView } from "../../protocol/ask.ts";
import type { Answer } from "../data/questions.ts";
import { Line, Prose } from "./text.tsx";

type Prompt = QuestionView["prompts"][number];

interface ChoiceFormProps {
  prompts: Prompt[];
  /** Shown above the form; a prompt with the same text is not repeated. */
  title: string;
  onAnswer(answer: Answer): void;
}

/** A single-choice question is answered by one click. Several prompts, multiple choice and free text need the submit button. */
export function ChoiceForm({ prompts, title, onAnswer }: ChoiceFormProps) {
  const [chosen, setChosen] = useState<string[][]>(prompts.map(() => []));
  const [own, setOwn] = useState<string[]>(prompts.map(() => ""));
  const [only] = prompts;
  const isQuick = prompts.length === 1 && only !== undefined && !only.isMulti && only.options.length > 0;
  const answers = prompts.map((prompt, i) => answerOf(prompt, chosen[i] ?? [], own[i] ?? ""));
  const isComplete = answers.every((answer) => answer.length > 0);
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
        if (isComplete) onAnswer({ answers });
      }}
    >
      {prompts.map((prompt, i) => (
        <div key={i} class="prompt">
          {prompt.header && prompts.length > 1 && <Line class="prompt-header" text={prompt.header} />}
          {prompt.text !== title && <Prose text={prompt.text} />}
          {prompt.isMulti && <p class="faint">Choose one or more.</p>}
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
        <button type="submit" class="primary" disabled={!isComplete}>
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
  /** Undefined if a click answers at once. */
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

/** Free text replaces the chosen option; with multiple choice it is added to them. */
function answerOf({ isMulti }: Prompt, chosen: string[], own: string): string[] {
  const words = own.trim() === "" ? [] : [own.trim()];
  if (isMulti) return [...chosen, ...words];
  return words.length > 0 ? words : chosen;
}
