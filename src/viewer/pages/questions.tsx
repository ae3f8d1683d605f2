import type { AnswerPlace, QuestionView } from "../../protocol/ask.ts";
import { describeEnding } from "../data/describe-ending.ts";
import { hasMore, loadMoreQuestions, questions } from "../data/questions.ts";
import { makeHash } from "../data/route.ts";
import { formatCount, formatDuration, formatDateTime } from "../data/format.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { Inbox } from "../parts/inbox.tsx";
import { Subject } from "../parts/subject.tsx";
import { Line, Prose } from "../parts/text.tsx";

/** All questions: who answered, where, and how long it took. */
export function Questions() {
  const all = questions.value;
  const settled = all?.filter(({ state }) => state !== "open") ?? [];
  return (
    <div class="page">
      <h1>Questions</h1>
      {!all && <Loading />}
      {all?.length === 0 && <NoQuestions />}
      <Inbox title="Open" />
      {settled.length > 0 && (
        <section aria-labelledby="settled-title">
          <h2 id="settled-title">History</h2>
          <p class="faint">{describeAll(settled)}</p>
          <ul class="settled">
            {settled.map((question) => (
              <li key={question.id}>
                <Settled question={question} />
              </li>
            ))}
          </ul>
          {hasMore.value && (
            <button type="button" class="quiet" onClick={loadMoreQuestions}>
              Older questions
            </button>
          )}
        </section>
      )}
    </div>
  );
}

function NoQuestions() {
  return (
    <Empty title="No questions yet">
      <p>
        When a session asks you something or needs a permission, the question appears here, on your channels
        and in its terminal. The first answer counts.
      </p>
      <p>
        To get questions elsewhere: <kbd>rookery setup telegram</kbd>, <kbd>rookery setup slack</kbd> or{" "}
        <kbd>rookery pair matrix</kbd>
        <br />
        To try it: <kbd>rookery ask "Which database?" --option SQLite --option Postgres</kbd>
      </p>
    </Empty>
  );
}

const placeWords: Record<AnswerPlace, string> = {
  terminal: "in the terminal",
  viewer: "in the viewer",
  cli: "on the command line",
  slack: "on Slack",
  matrix: "on Matrix",
  telegram: "on Telegram",
  discord: "on Discord",
  ntfy: "with ntfy",
  webhook: "by webhook",
};

/** "12 answered (median 40 s): 7 in the viewer, 5 on Slack." */
function describeAll(settled: QuestionView[]): string {
  const answered = settled.filter(({ state }) => state === "answered");
  const times = answered
    .map(({ createdAt, settledAt }) => (settledAt ?? createdAt) - createdAt)
    .toSorted((a, b) => a - b);
  const places = [...Map.groupBy(answered, ({ answerer }) => answerer?.place ?? "terminal")]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([place, list]) => `${list.length} ${placeWords[place]}`);
  const median = times[Math.floor(times.length / 2)];
  const others = settled.length - answered.length;
  return [
    formatCount(answered.length, "answered", "answered"),
    median === undefined ? "" : ` (median ${formatDuration(median)}): ${places.join(", ")}`,
    others > 0 ? `. ${others} without an answer` : "",
    ".",
  ].join("");
}

function Settled({ question }: { question: QuestionView }) {
  const { headline, project, agent, session, state, verdict, outcome, answerer } = question;
  const { prompts, subject, context, createdAt, settledAt } = question;
  const asked = prompts.length > 0 ? prompts.map(({ text }) => text).join(" ") : (subject?.text ?? headline);
  return (
    <details class={`panel settled-${state}`}>
      <summary data-row tabIndex={0}>
        <span class="settled-asked">
          {subject && <Line class="tool" text={subject.toolName} />} <Line text={asked.slice(0, 160)} />
        </span>
        <span class="settled-outcome">
          <Line text={describeEnding(question).slice(0, 200)} />
          {verdict === "overruled" && <span class="status status-failed">overruled</span>}
        </span>
        <span class="faint settled-meta">
          {answerer && (
            <>
              {answerer.place !== "viewer" && <Line text={`${answerer.by} `} />}
              {placeWords[answerer.place]}
            </>
          )}
          {settledAt !== null && ` after ${formatDuration(settledAt - createdAt)}`} · <Line text={agent} /> in{" "}
          <Line text={project} /> · {formatDateTime(createdAt)}
        </span>
      </summary>
      {context && <Prose text={context} />}
      {prompts.map((prompt, i) => (
        <div key={i}>
          <Prose text={prompt.text} />
          {prompt.options.length > 0 && (
            <p class="faint">
              <Line text={prompt.options.map(({ label }) => label).join(" · ")} />
            </p>
          )}
        </div>
      ))}
      {subject && <Subject subject={subject} />}
      {outcome && <Prose text={outcome} />}
      {session && (
        <p>
          <a href={makeHash("sessions", session)}>Open session</a>
        </p>
      )}
    </details>
  );
}
