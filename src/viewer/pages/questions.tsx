import { isAskingMissing, openQuestions, type Question, questions } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { sayDuration, sayMoment } from "../data/words.ts";
import { Empty, NotHere, Waiting } from "../parts/empty.tsx";
import { QuestionCard } from "../parts/question-card.tsx";
import { Line, Prose } from "../parts/text.tsx";

/** Everything that was asked: who answered, where, and how long it took. */
export function Questions() {
  const all = questions.value;
  const settled = all?.filter(({ state }) => state !== "open") ?? [];
  return (
    <div class="page">
      <h1>Questions</h1>
      {isAskingMissing.value && <NotHere what="questions" />}
      {!isAskingMissing.value && !all && <Waiting />}
      {all?.length === 0 && (
        <Empty title="Nothing was asked yet">
          <p>
            When a session asks you something or needs a permission, the question appears here, on your
            channels and in its terminal at once. The first answer counts, wherever it comes from.
          </p>
        </Empty>
      )}
      {openQuestions.value.length > 0 && (
        <section aria-labelledby="open-title" class="asks">
          <h2 id="open-title">Open</h2>
          {openQuestions.value.map((question) => (
            <QuestionCard key={question.id} question={question} />
          ))}
        </section>
      )}
      {settled.length > 0 && (
        <section aria-labelledby="settled-title">
          <h2 id="settled-title">Settled</h2>
          <ul class="settled">
            {settled.map((question) => (
              <li key={question.id}>
                <Settled question={question} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Settled({ question }: { question: Question }) {
  const { headline, project, agent, session, state, verdict, outcome, answerer, createdAt, settledAt } =
    question;
  return (
    <details class={`panel settled-${state}`}>
      <summary data-row tabIndex={0}>
        <Line text={headline} />{" "}
        <span class="faint">
          <Line text={project} /> · <Line text={agent} /> · {state}
          {verdict && `, ${verdict}`}
          {answerer && (
            <>
              {" "}
              by <Line text={answerer.by} /> in the {answerer.place}
            </>
          )}
          {settledAt !== null && ` after ${sayDuration(settledAt - createdAt)}`} · {sayMoment(createdAt)}
        </span>
      </summary>
      {question.prompts.map((prompt, i) => (
        <Prose key={i} text={prompt.text} />
      ))}
      {question.subject && <Prose class="code" text={question.subject.text} />}
      {outcome && <Prose text={outcome} />}
      {session && (
        <p>
          <a href={makeHash("sessions", session)}>Its session</a>
        </p>
      )}
    </details>
  );
}
