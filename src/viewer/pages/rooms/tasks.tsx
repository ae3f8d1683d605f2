import { useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import type { TaskView } from "../../../protocol/mail.ts";
import { NewTask } from "./new-task.tsx";
import { Task } from "./task.tsx";

interface TasksProps {
  tasks: TaskView[];
  /** Where a new one belongs; undefined has to be chosen. */
  project: string | undefined;
  /** Whom a new one is for, unless it is said otherwise. */
  agent: AgentView | undefined;
  agents: AgentView[];
  owner: string;
}

const mostOver = 10;

/** What is to be done, by whom, and how it stands. */
export function Tasks({ tasks, project, agent, agents, owner }: TasksProps) {
  const [isGiving, setGiving] = useState(false);
  const open = tasks.filter(({ next }) => next.length > 0 && !isFailed(next));
  const over = tasks.filter((task) => !open.includes(task));
  return (
    <section aria-labelledby="tasks-title">
      <div class="side-head">
        <h2 id="tasks-title">Tasks</h2>
        <button type="button" class="quiet" aria-expanded={isGiving} onClick={() => setGiving(!isGiving)}>
          New task
        </button>
      </div>
      {isGiving && <NewTask {...{ project, agent, agents, owner }} onDone={() => setGiving(false)} />}
      {open.length === 0 && !isGiving && (
        <p class="faint">Nothing open. Give one to an agent, or take one on yourself.</p>
      )}
      <ul class="tasks-list">
        {open.map((task) => (
          <li key={task.id}>
            <Task {...{ task, agents, owner }} />
          </li>
        ))}
      </ul>
      {over.length > 0 && (
        <details class="over">
          <summary>{over.length} over</summary>
          <ul class="tasks-list">
            {over.slice(0, mostOver).map((task) => (
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

/** One that failed may be taken up again, and that only. */
function isFailed(next: string[]): boolean {
  return next.length === 1;
}
