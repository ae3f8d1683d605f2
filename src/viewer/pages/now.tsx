import type { RunningView } from "../../protocol/viewer.ts";
import { deletedNotes, pendingDeletes } from "../data/deleting.ts";
import { openQuestions } from "../data/questions.ts";
import { useResource } from "../data/resource.ts";
import { makeHash } from "../data/route.ts";
import { formatCount } from "../data/format.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { Inbox } from "../parts/inbox.tsx";
import { Age, Line } from "../parts/text.tsx";
import { NoteRow } from "./memory/note-row.tsx";

const changesSessions = ({ type }: { type: string }): boolean =>
  type === "event.stored" ||
  type.startsWith("session.") ||
  type.startsWith("turn.") ||
  type.startsWith("delivery.");

/** Running sessions, open questions and the newest notes. */
export function Now() {
  const { data, error } = useResource("GET /api/now", {}, changesSessions);
  return (
    <div class="page">
      <h1>Now</h1>
      <Inbox title="Waiting for you" />
      <section aria-labelledby="running-title">
        <h2 id="running-title">Running</h2>
        {!data && <Loading error={error} />}
        {data && data.sessions.length === 0 && <NoSessions />}
        <ul class="cards">
          {data?.sessions.map((session) => (
            <li key={session.id}>
              <SessionCard session={session} />
            </li>
          ))}
        </ul>
      </section>
      <Feed />
    </div>
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
  const { id, agent, project, branch, state, doing, prompt, queued, lastEventAt } = session;
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
        {branch && (
          <>
            {" "}
            on <Line text={branch} />
          </>
        )}{" "}
        · <Age at={lastEventAt} />
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

function NoSessions() {
  return (
    <Empty title="No running sessions">
      <p>
        Start <kbd>claude</kbd> in any project. Its card shows what it is doing and whether it is waiting for
        you.
      </p>
      <p>
        Not showing up? <kbd>rookery doctor</kbd>
      </p>
    </Empty>
  );
}

/** The newest notes, live. */
function Feed() {
  const { data } = useResource(
    "GET /api/browse",
    { query: { limit: 30 } },
    ({ type }) => type === "observation.stored",
  );
  const notes = data?.notes.filter(({ id }) => !deletedNotes.value.has(id)) ?? [];
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">New notes</h2>
      <ul class="feed" aria-live="polite" aria-relevant="additions">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteRow
              {...note}
              type={note.type ?? ""}
              isBeingDeleted={pendingDeletes.value.has(note.id)}
              place={{ selected: undefined, query: {} }}
            />
          </li>
        ))}
      </ul>
      {data && notes.length === 0 && <p class="faint">Notes appear here when a turn ends.</p>}
    </section>
  );
}
