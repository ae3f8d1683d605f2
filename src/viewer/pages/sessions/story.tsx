import { useState } from "preact/hooks";
import type { SessionView } from "../../../protocol/api.ts";
import type { StoryView } from "../../../protocol/viewer.ts";
import { call } from "../../data/api.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { describeSessionEnd } from "../../data/session-end.ts";
import { showError } from "../../data/toasts.ts";
import { formatCount, formatDuration, formatDateTime } from "../../data/format.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Line, OnBranch } from "../../parts/text.tsx";
import { StoryTurn } from "./story-turn.tsx";

const step = 30;

/** One session, turn by turn. */
export function Story({ id }: { id: string }) {
  const [older, setOlder] = useState<StoryView | undefined>();
  const params = { id };
  const isOurs = (event: object): boolean => "sessionId" in event && event.sessionId === id;
  const session = useResource("GET /api/sessions/:id", { params }, isOurs);
  const story = useResource("GET /api/sessions/:id/story", { params, query: { limit: step } }, isOurs);
  const error = session.error ?? story.error;
  if (!session.data || !story.data) return <Loading error={error} />;
  const newer = story.data.turns.filter(({ number }) => number > (older?.turns.at(-1)?.number ?? 0));
  const turns = [...(older?.turns ?? []), ...newer];
  const earlier = (older ?? story.data).earlier;
  const loadEarlier = (): void => {
    const query = { limit: step, before: turns[0]?.number };
    call("GET /api/sessions/:id/story", { params, query }).then(
      (view) => setOlder({ ...view, turns: [...view.turns, ...(older?.turns ?? [])] }),
      showError,
    );
  };
  return (
    <article class="story">
      <a class="back" href={makeHash("sessions")}>
        ← All sessions
      </a>
      <Head session={session.data} />
      <div class="with-side">
        <div class="side">
          <Files files={story.data.files} />
          <Injections session={id} />
        </div>
        <div>
          {earlier > 0 && (
            <button type="button" class="quiet" onClick={loadEarlier}>
              {formatCount(earlier, "earlier turn")}
            </button>
          )}
          {turns.length === 0 && (
            <Empty title="No turns yet">
              <p>The first prompt starts the first turn.</p>
            </Empty>
          )}
          <ol class="turns">
            {turns.map((turn) => (
              <li key={turn.number}>
                <StoryTurn turn={turn} />
              </li>
            ))}
          </ol>
        </div>
      </div>
    </article>
  );
}

function Head({ session }: { session: SessionView }) {
  const {
    id,
    agent,
    hostLabel,
    project,
    branch,
    model,
    title,
    asked,
    status,
    endReason,
    startedAt,
    lastEventAt,
    cwd,
  } = session;
  return (
    <header>
      <h2>
        <Line text={title || asked || agent} />
      </h2>
      <p class="faint">
        <Line text={agent} /> · <Line text={project} />
        <OnBranch branch={branch} />
        {hostLabel && ` · ${hostLabel}`}
        {model && (
          <>
            {" "}
            · <Line text={model} />
          </>
        )}
      </p>
      <p class="faint">
        {formatDateTime(startedAt)}, {formatDuration(lastEventAt - startedAt)} ·{" "}
        {status === "active" ? "active" : describeSessionEnd(endReason)} · <Line text={cwd ?? ""} /> ·{" "}
        <code>
          <Line text={id} />
        </code>
      </p>
    </header>
  );
}

const fewFiles = 6;

function Files({ files }: { files: StoryView["files"] }) {
  if (files.length === 0) return null;
  return (
    <details class="panel" open={files.length <= fewFiles}>
      <summary>
        {formatCount(files.length, "file")} touched, {files.filter(({ edits }) => edits > 0).length} changed
      </summary>
      <ul class="files">
        {files.map(({ path, reads, edits }) => (
          <li key={path}>
            <a href={makeHash("memory", undefined, { file: path.slice(path.lastIndexOf("/") + 1) })}>
              <Line text={path} />
            </a>{" "}
            <span class="faint">
              {[edits > 0 && formatCount(edits, "edit"), reads > 0 && formatCount(reads, "read")]
                .filter(Boolean)
                .join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The notes that recall gave to the session, and why. */
function Injections({ session }: { session: string }) {
  const { data } = useResource("GET /api/injections", { query: { session } });
  if (!data || data.injections.length === 0) return null;
  const tokens = data.injections.reduce((sum, injection) => sum + injection.tokens, 0);
  return (
    <details class="panel">
      <summary>
        Given {formatCount(data.injections.length, "note")} ({formatCount(tokens, "token")})
      </summary>
      <ul class="injections">
        {data.injections.map(({ kind, id, title, point, reason, at }) => (
          <li key={`${kind} ${id} ${point}`}>
            {kind === "note" ? (
              <a href={makeHash("memory", id)}>
                <Line text={title} />
              </a>
            ) : (
              <Line text={title} />
            )}{" "}
            <span class="faint">
              {point}, {formatDateTime(at)}: <Line text={reason} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
