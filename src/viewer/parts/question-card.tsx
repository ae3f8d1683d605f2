import { useState } from "preact/hooks";
import { type Answer, answerQuestion, type Question } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { complain } from "../data/toasts.ts";
import { sayCount, sayMoment } from "../data/words.ts";
import { Age, Line, Prose } from "./text.tsx";

/** An open question with everything one needs to answer it. */
export function QuestionCard({ question }: { question: Question }) {
  const { id, headline, project, agent, session, subagent, context, subject, earlier, createdAt } = question;
  const [isSending, setSending] = useState(false);
  const send = (answer: Answer): void => {
    setSending(true);
    answerQuestion(id, answer)
      .catch(complain)
      .finally(() => setSending(false));
  };
  return (
    <article class="question" aria-labelledby={`question-${id}`}>
      <h3 id={`question-${id}`}>
        <Line text={headline} />
      </h3>
      <p class="faint">
        <Line text={project} /> ·{" "}
        {session ? (
          <a href={makeHash("sessions", session)}>
            <Line text={agent} />
          </a>
        ) : (
          <Line text={agent} />
        )}
        {subagent && (
          <>
            {" "}
            · subagent <Line text={subagent} />
          </>
        )}{" "}
        · asked <Age at={createdAt} />
      </p>
      {context && <Prose text={context} />}
      {subject && (
        <>
          <Prose class="code" text={subject.text} />
          {subject.hiddenSecrets > 0 && (
            <p class="faint">{sayCount(subject.hiddenSecrets, "secret")} hidden</p>
          )}
        </>
      )}
      {earlier && (
        <p class="faint">
          The last time ({sayMoment(earlier.at)}): <Line text={earlier.answer} />
        </p>
      )}
      <fieldset disabled={isSending}>
        <legend class="unseen">Answer</legend>
        {question.kind === "choice" ? (
          <ChoiceForm question={question} onAnswer={send} />
        ) : (
          <VerdictForm question={question} onAnswer={send} />
        )}
      </fieldset>
    </article>
  );
}

interface FormProps {
  question: Question;
  onAnswer(answer: Answer): void;
}

/** Only an explicit button is consent, and what it allows stands beside it. */
function VerdictForm({ question: { sessionRule }, onAnswer }: FormProps) {
  const [reason, setReason] = useState("");
  return (
    <div class="verdict">
      <button type="button" class="primary" onClick={() => onAnswer({ allow: "once" })}>
        Allow once
      </button>
      {sessionRule !== null && (
        <button type="button" onClick={() => onAnswer({ allow: "session" })}>
          Allow for session: <code>{sessionRule}</code>
        </button>
      )}
      <span class="deny">
        <input
          aria-label="Why not"
          placeholder="Why not (told to the agent)"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <button type="button" class="danger" onClick={() => onAnswer({ deny: reason })}>
          Deny
        </button>
      </span>
    </div>
  );
}

/** One click answers a single question with options; several questions, or own words, are sent together. */
function ChoiceForm({ question: { prompts }, onAnswer }: FormProps) {
  const [chosen, setChosen] = useState<string[][]>(prompts.map(() => []));
  const [own, setOwn] = useState<string[]>(prompts.map(() => ""));
  const [only] = prompts;
  const isQuick = prompts.length === 1 && only !== undefined && !only.isMulti && only.options.length > 0;
  const answers = prompts.map((_, i) => (own[i]?.trim() ? [own[i].trim()] : (chosen[i] ?? [])));
  const replace = <T,>(list: T[], at: number, value: T): T[] =>
    list.map((old, i) => (i === at ? value : old));

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ answers });
      }}
    >
      {prompts.map((prompt, i) => (
        <div key={i} class="prompt">
          <Prose text={prompt.text} />
          <div class="options">
            {prompt.options.map(({ label, description }) => {
              const isOn = chosen[i]?.includes(label) ?? false;
              const toggle = (): void => {
                if (isQuick) return onAnswer({ answers: [[label]] });
                const others = prompt.isMulti ? (chosen[i] ?? []).filter((other) => other !== label) : [];
                setChosen(replace(chosen, i, isOn ? others : [...others, label]));
              };
              return (
                <button
                  key={label}
                  type="button"
                  class="option"
                  aria-pressed={isQuick ? undefined : isOn}
                  onClick={toggle}
                >
                  <Line text={label} />
                  {description && <Line class="faint" text={description} />}
                </button>
              );
            })}
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
        <button type="submit" class="primary" disabled={answers.some((answer) => answer.length === 0)}>
          Answer
        </button>
      )}
    </form>
  );
}
