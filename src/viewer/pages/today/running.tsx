import type { RunningView } from "../../../protocol/viewer.ts";
import { formatCount } from "../../data/format.ts";
import { openQuestions } from "../../data/questions.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Loading } from "../../parts/empty.tsx";
import { Age, Line, OnBranch } from "../../parts/text.tsx";

const changesSessions = ({ type }: { type: string }): boolean =>
  type === "event.stored" ||
  type.startsWith("session.") ||
  type.startsWith("turn.") ||
  type.startsWith("delivery.");

/** The running sessions, and what each is doing. */
export function Running() {
  const { data, error } = useResource("GET /api/now", {}, changesSessions);
  if (!data) return <Loading error={error} />;
  if (data.sessions.length === 0) return null;
  return (
    <section aria-labelledby="running-title">
      <h2 id="running-title">Running</h2>
      <ul class="cards">
        {data.sessions.map((session) => (
          <li key={session.id}>
            <SessionCard session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const stateWords = { working: "working", idle: "idle", waiting: "waiting in the terminal" };

const eventWords: Record<string, string> = {
  "session.started": "Started",
  prompt: "Reading your prompt",
  "turn.ended": "Finished its turn",
  "turn.failed": "Stopped by an error",
  "turn.interrupted": "Interrupted",
  "compact.before": "Compacting",
  "compact.after": "Compacted",
  "session.idle": "Idle:",
  "input.needed": "Needs input:",
  notification: "Notification:",
};

function SessionCard({ session }: { session: RunningView }) {
  const { id, agent, hostLabel, project, branch, state, doing, prompt, queued, lastEventAt } = session;
  const isAsked = openQuestions.value.some((question) => question.session === id);
  return (
    <a data-row class={`card card-${isAsked ? "waiting" : state}`} href={makeHash("sessions", id)}>
      <span class="card-head">
        <strong>
          <Line text={agent} />
        </strong>
        <span class={`state state-${isAsked ? "waiting" : state}`}>
          {isAsked ? "waiting for you" : stateWords[state]}
        </span>
      </span>
      <span class="faint">
        <Line text={project} />
        <OnBranch branch={branch} /> · {hostLabel && `${hostLabel} · `}
        <Age at={lastEventAt} />
      </span>
      {prompt && <Line class="card-prompt" text={prompt} />}
      {doing && (
        <span class="card-doing">
          {doing.tool ? <Line class="tool" text={doing.tool} /> : (eventWords[doing.event] ?? doing.event)}{" "}
          <Line text={doing.about} />
        </span>
      )}
      {queued > 0 && <span class="faint">{formatCount(queued, "unread message")}</span>}
    </a>
  );
}
