import { CreateButton } from "../../parts/create-form.tsx";
import { useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import type { TaskView } from "../../../protocol/mail.ts";
import { NewTask } from "./new-task.tsx";
import { Task } from "./task.tsx";

interface TasksProps {
  tasks: TaskView[];
  /** The project of a new task; if undefined, the form asks for it. */
  project: string | undefined;
  /** The default owner of a new task. */
  agent: AgentView | undefined;
  agents: AgentView[];
  owner: string;
}

const maxClosed = 10;

/** Tasks with their owner and state. */
export function Tasks({ tasks, project, agent, agents, owner }: TasksProps) {
  const [isCreating, setCreating] = useState(false);
  const open = tasks.filter(({ next }) => next.length > 0 && !isFailed(next));
  const closed = tasks.filter((task) => !open.includes(task));
  return (
    <section aria-labelledby="tasks-title">
      <div class="side-head">
        <h2 id="tasks-title">Tasks</h2>
        <CreateButton noun="task" isOpen={isCreating} setOpen={setCreating} />
      </div>
      {isCreating && <NewTask {...{ project, agent, agents, owner }} onDone={() => setCreating(false)} />}
      {open.length === 0 && !isCreating && (
        <p class="faint">No open tasks. Create one for an agent or for yourself.</p>
      )}
      <ul class="tasks-list">
        {open.map((task) => (
          <li key={task.id}>
            <Task {...{ task, agents, owner }} />
          </li>
        ))}
      </ul>
      {closed.length > 0 && (
        <details class="over">
          <summary>{closed.length} closed</summary>
          <ul class="tasks-list">
            {closed.slice(0, maxClosed).map((task) => (
              <li key={task.id}>
                <Task {...{ task, agents, owner }} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** A failed task has one next state: it can only be reopened. */
function isFailed(next: string[]): boolean {
  return next.length === 1;
}
