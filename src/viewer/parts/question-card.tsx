import { useState } from "preact/hooks";
import type { QuestionView } from "../../protocol/ask.ts";
import { now } from "../data/clock.ts";
import { type Answer, answerQuestion } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { formatDuration, formatDateTime } from "../data/format.ts";
import { ChoiceForm } from "./choice-form.tsx";
import { ErrorMessage } from "./empty.tsx";
import { Subject } from "./subject.tsx";
import { Age, Line, Prose } from "./text.tsx";

/** A question with its answer form; once settled elsewhere, with its outcome. */
export function QuestionCard({ question }: { question: QuestionView }) {
  const { id, kind, state, headline, context, subject, earlier, outcome } = question;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const send = (answer: Answer): void => {
    setSending(true);
    answerQuestion(id, answer)
      .then(() => setError(undefined), setError)
      .finally(() => setSending(false));
  };
  const isOpen = state === "open";
  return (
    <article
      class={`question ${isOpen ? "" : "question-over"}`}
      aria-labelledby={`question-${id}`}
      data-row
      tabIndex={-1}
      onKeyDown={chooseByDigit}
    >
      <h3 id={`question-${id}`}>
        <Line text={headline} />
      </h3>
      <About question={question} />
      {context && <Prose text={context} />}
      {subject && <Subject subject={subject} />}
      {isOpen && earlier && (
        <p class="faint">
          Last time ({formatDateTime(earlier.at)}): <Line text={earlier.answer} />
        </p>
      )}
      {error !== undefined && isOpen && <ErrorMessage error={error} />}
      {isOpen ? (
        <fieldset disabled={isSending}>
          <legend class="visually-hidden">Answer</legend>
          {kind === "choice" ? (
            <ChoiceForm prompts={question.prompts} onAnswer={send} />
          ) : (
            <VerdictForm question={question} onAnswer={send} />
          )}
        </fieldset>
      ) : (
        <>
          {question.prompts.map(({ text }, i) => (
            <Prose key={i} text={text} />
          ))}
          <p class="question-outcome" role="status">
            <Line text={outcome ?? state} />
          </p>
        </>
      )}
    </article>
  );
}

function About({ question }: { question: QuestionView }) {
  const { project, agent, session, subagent, createdAt, expiresAt, state } = question;
  return (
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
      {state === "open" && expiresAt > now.value && ` · expires in ${formatDuration(expiresAt - now.value)}`}
    </p>
  );
}

interface VerdictFormProps {
  question: QuestionView;
  onAnswer(answer: Answer): void;
}

/** Only an explicit button counts as consent, so each button names its scope. */
function VerdictForm({ question: { kind, sessionRule }, onAnswer }: VerdictFormProps) {
  const [reason, setReason] = useState("");
  return (
    <div class="verdict">
      <button type="button" class="primary" onClick={() => onAnswer({ allow: "once" })}>
        {kind === "plan" ? "Approve" : "Allow once"}
      </button>
      {sessionRule !== null && (
        <button type="button" onClick={() => onAnswer({ allow: "session" })}>
          Allow for session: <Line class="code-line" text={sessionRule} />
        </button>
      )}
      <span class="deny">
        <input
          aria-label="Reason"
          placeholder="Reason (shown to the agent)"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <button type="button" class="danger" onClick={() => onAnswer({ deny: reason })}>
          {kind === "plan" ? "Send back" : "Deny"}
        </button>
      </span>
    </div>
  );
}

/** Digits choose an option of the focused card. Permissions have no keys: they need a click on a button. */
function chooseByDigit(event: KeyboardEvent): void {
  const card = event.currentTarget as HTMLElement;
  const isWriting = event.target instanceof HTMLInputElement;
  if (isWriting || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
  const option = card.querySelectorAll<HTMLButtonElement>("button.option")[Number(event.key) - 1];
  if (!option) return;
  event.preventDefault();
  option.click();
}
