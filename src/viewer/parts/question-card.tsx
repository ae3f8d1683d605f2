import { useLayoutEffect, useState } from "preact/hooks";
import type { QuestionView } from "../../protocol/ask.ts";
import { now } from "../data/clock.ts";
import { describeEnding } from "../data/describe-ending.ts";
import type { QuestionGroup } from "../data/group-alike.ts";
import { snooze } from "../data/inbox.ts";
import { blockMisplacedPress, hasLayoutJustChanged, markLayoutChange } from "../data/layout-guard.ts";
import { type Answer, answerQuestions } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { formatDuration, formatDateTime } from "../data/format.ts";
import { ChoiceForm } from "./choice-form.tsx";
import { ErrorMessage } from "./empty.tsx";
import { Subject } from "./subject.tsx";
import { Age, Line, Prose } from "./text.tsx";

export const cardId = (groupId: string): string => `ask-${groupId}`;

/**
 * A question with its answer form; once settled, with its outcome. One answer goes to all agents that asked the same
 * question.
 */
export function QuestionCard({ group: { id, questions } }: { group: QuestionGroup }) {
  const [question] = questions;
  const { kind, state, title, context, subject, earlier, danger, claimedBy } = question;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const send = (answer: Answer): void => {
    setSending(true);
    answerQuestions(
      questions.map((each) => each.id),
      answer,
    )
      .then(() => setError(undefined), setError)
      .finally(() => setSending(false));
  };
  useLayoutEffect(markLayoutChange, [error]);
  const isOpen = state === "open";
  return (
    <article
      id={cardId(id)}
      class={`question ${isOpen ? "" : "question-over"} ${isOpen && danger ? "question-danger" : ""}`}
      aria-labelledby={`question-${id}`}
      data-row
      tabIndex={-1}
      onKeyDown={chooseByDigit}
    >
      <h3 id={`question-${id}`}>
        <Line text={title.slice(0, maxTitle)} />
      </h3>
      {questions.slice(0, maxAskers).map((each) => (
        <About key={each.id} question={each} />
      ))}
      {questions.length > maxAskers && (
        <p class="faint">and {questions.length - maxAskers} more, word for word the same</p>
      )}
      {context && <Prose text={context} />}
      {subject && <Subject subject={subject} />}
      {isOpen && danger && <p class="trouble">Careful: this {danger}.</p>}
      {isOpen && claimedBy && (
        <p class="trouble">
          <Line text={claimedBy} /> has claimed this file.
        </p>
      )}
      {isOpen && earlier && (
        <p class="faint">
          Last time ({formatDateTime(earlier.at)}): <Line text={earlier.answer} />
        </p>
      )}
      {error !== undefined && isOpen && <ErrorMessage error={error} />}
      {isOpen ? (
        <>
          <fieldset
            disabled={isSending}
            aria-disabled={hasLayoutJustChanged.value}
            onClickCapture={blockMisplacedPress}
          >
            <legend class="visually-hidden">Answer</legend>
            {kind === "choice" ? (
              <ChoiceForm prompts={question.prompts} title={title.slice(0, maxTitle)} onAnswer={send} />
            ) : (
              <VerdictForm question={question} count={questions.length} onAnswer={send} />
            )}
          </fieldset>
          <button type="button" class="quiet snooze" onClick={() => snooze(questions)}>
            Snooze 15 min
          </button>
        </>
      ) : (
        <Ending question={question} />
      )}
    </article>
  );
}

const maxTitle = 240;
const maxAskers = 3;

/** The options with the chosen one marked, and what happened next. */
function Ending({ question }: { question: QuestionView }) {
  const { prompts, answer } = question;
  const chosen = answer && "answers" in answer ? answer.answers : [];
  return (
    <>
      {prompts.map(({ text, options }, i) => (
        <div key={i}>
          {prompts.length > 1 && <Prose text={text} />}
          <ul class="chosen">
            {options.map(({ label }) => (
              <li key={label} class={chosen[i]?.includes(label) ? "chosen-one" : ""}>
                <Line text={label} />
                {chosen[i]?.includes(label) && <span class="visually-hidden"> (chosen)</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="question-outcome" role="status">
        <Line text={describeEnding(question)} />
      </p>
    </>
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
  /** The number of questions that get the answer. */
  count: number;
  onAnswer(answer: Answer): void;
}

/** Only an explicit button counts as consent, so each button names its scope. A dangerous command needs a second press. */
function VerdictForm({ question: { kind, sessionRule, danger }, count, onAnswer }: VerdictFormProps) {
  const [reason, setReason] = useState("");
  const [armed, setArmed] = useState<"once" | "session" | undefined>(undefined);
  useLayoutEffect(markLayoutChange, [armed]);
  // The first press was for fewer questions.
  useLayoutEffect(() => setArmed(undefined), [count]);
  const allow = (scope: "once" | "session"): void => {
    if (danger === null) onAnswer({ allow: scope });
    else if (armed !== scope) setArmed(scope);
    // A double click or a key held down is one press.
    else if (!hasLayoutJustChanged.value) onAnswer({ allow: scope });
  };
  const forAll = count > 1 ? ` (all ${count})` : "";
  return (
    <div class="verdict">
      <button type="button" class={danger ? "danger" : "primary"} onClick={() => allow("once")}>
        {armed === "once" ? "Press again to allow once" : kind === "plan" ? "Approve" : "Allow once"}
        {forAll}
      </button>
      {sessionRule !== null && (
        <button type="button" class={danger ? "danger" : ""} onClick={() => allow("session")}>
          {armed === "session" ? "Press again to allow for session: " : "Allow for session: "}
          <Line class="code-line" text={sessionRule} />
          {forAll}
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
          {forAll}
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
