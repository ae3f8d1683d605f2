import { useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import type { TaskView } from "../../../protocol/mail.ts";
import { call, type Input } from "../../data/api.ts";
import { revealInvisible } from "../../data/format.ts";
import { ErrorMessage } from "../../parts/empty.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Age, Line } from "../../parts/text.tsx";

interface TaskProps {
  task: TaskView;
  agents: AgentView[];
  owner: string;
}

const statusWords: Record<string, string> = {
  submitted: "submitted",
  working: "in progress",
  input_required: "needs input",
  completed: "done",
  failed: "failed",
  canceled: "canceled",
  rejected: "rejected",
};

/** States that ask for a result text. */
const isEnd = (status: string): boolean => ["completed", "failed", "rejected"].includes(status);

export function Task({ task, agents, owner }: TaskProps) {
  const {
    id,
    title,
    status,
    owner: holder,
    requester,
    progress,
    result,
    files,
    updatedAt,
    project,
    rev,
  } = task;
  const [ending, setEnding] = useState<string | undefined>();
  const [outcome, setOutcome] = useState("");
  const [error, setError] = useState<unknown>(undefined);

  async function change(patch: Input<"PATCH /api/tasks/:id">["body"]): Promise<void> {
    try {
      await call("PATCH /api/tasks/:id", { params: { id }, body: { ...patch, rev } });
      setError(undefined);
      setEnding(undefined);
      setOutcome("");
    } catch (thrown) {
      setError(thrown);
    }
  }
  const step = (next: string): void => {
    if (isEnd(next)) setEnding(next);
    else void change({ status: next });
  };
  const take = (): void => {
    const status = task.next.includes("working") ? "working" : undefined;
    void change({ owner, status });
  };
  const isOpen = task.next.length > 0;
  return (
    <article class={`task task-${status}`} aria-label={revealInvisible(title)}>
      <p class="task-title">
        <Line text={title} /> <span class={`status status-${status}`}>{statusWords[status] ?? status}</span>
      </p>
      <p class="faint">
        <Line text={project} /> · {holder ? <Line text={holder} /> : "unassigned"}
        {requester !== holder && (
          <>
            , requested by <Line text={requester} />
          </>
        )}{" "}
        · <Age at={updatedAt} />
      </p>
      {progress !== null && isOpen && (
        <progress max={100} value={progress} aria-label={`Progress of ${revealInvisible(title)}`} />
      )}
      {files.length > 0 && (
        <p class="faint">
          <Line class="code-line" text={files.slice(0, 6).join(", ")} />
        </p>
      )}
      {result && <Markdown text={result} />}
      {error !== undefined && <ErrorMessage error={error} />}
      {isOpen && ending === undefined && (
        <div class="task-actions">
          {holder !== owner && owner !== "" && (
            <button type="button" onClick={take}>
              Take
            </button>
          )}
          {task.next.includes("completed") && (
            <button type="button" onClick={() => step("completed")}>
              Done
            </button>
          )}
          <More {...{ task, agents }} onStep={step} onAssign={(to) => void change({ owner: to })} />
        </div>
      )}
      {ending !== undefined && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void change({ status: ending, result: outcome.trim() === "" ? undefined : outcome });
          }}
        >
          <label>
            Result
            <textarea rows={2} value={outcome} onInput={(event) => setOutcome(event.currentTarget.value)} />
          </label>
          <p class="actions">
            <button type="submit" class="primary">
              Mark as {statusWords[ending] ?? ending}
            </button>
            <button type="button" onClick={() => setEnding(undefined)}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </article>
  );
}

interface MoreProps {
  task: TaskView;
  agents: AgentView[];
  onStep(status: string): void;
  onAssign(to: string): void;
}

/** Less common actions: other states, and reassigning. */
function More({ task: { title, next, owner: holder }, agents, onStep, onAssign }: MoreProps) {
  const others = agents.filter(({ name, status }) => name !== holder && status !== "gone");
  const steps = next.filter((status) => status !== "completed");
  return (
    <select
      aria-label={`More actions for ${revealInvisible(title)}`}
      value=""
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        currentTarget.value = "";
        if (next.includes(value)) onStep(value);
        else if (value !== "") onAssign(value);
      }}
    >
      <option value="">More …</option>
      <optgroup label="Mark as">
        {steps.map((status) => (
          <option key={status} value={status}>
            {statusWords[status] ?? status}
          </option>
        ))}
      </optgroup>
      {others.length > 0 && (
        <optgroup label="Assign to">
          {others.map(({ id, name }) => (
            <option key={id} value={name}>
              {revealInvisible(name)}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  );
}
