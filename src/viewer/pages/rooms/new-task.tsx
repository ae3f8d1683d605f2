import { useMemo, useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import { call } from "../../data/api.ts";
import { rooms } from "../../data/mail.ts";
import { revealInvisible } from "../../data/format.ts";
import { CreateForm } from "../../parts/create-form.tsx";

interface NewTaskProps {
  project: string | undefined;
  agent: AgentView | undefined;
  agents: AgentView[];
  owner: string;
  onDone(): void;
}

export function NewTask({ project, agent, agents, owner, onDone }: NewTaskProps) {
  const places = rooms.value?.filter(({ kind }) => kind === "project").map(({ name }) => name) ?? [];
  const [title, setTitle] = useState("");
  const [where, setWhere] = useState(project ?? places[0] ?? "");
  const [to, setTo] = useState(agent?.name ?? "");
  // Submitting again after a lost response does not create a second task.
  const id = useMemo(() => crypto.randomUUID(), [title, where, to]);
  const candidates = agents.filter((one) => one.project === where);
  const create = (): Promise<unknown> => {
    const task = { id, title, project: where, ...(to === "" ? {} : { to }) };
    return call("POST /api/tasks", { body: task });
  };
  const isReady = title.trim() !== "" && where !== "";
  return (
    <CreateForm noun="task" isReady={isReady} create={create} onDone={onDone}>
      <label>
        Title
        <input
          required
          maxLength={300}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      {project === undefined && (
        <label>
          Project
          <select required value={where} onChange={(event) => setWhere(event.currentTarget.value)}>
            {places.map((name) => (
              <option key={name} value={name}>
                {revealInvisible(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        For
        <select value={to} onChange={(event) => setTo(event.currentTarget.value)}>
          <option value="">anyone</option>
          {owner !== "" && <option value={owner}>you</option>}
          {candidates.map(({ id, name }) => (
            <option key={id} value={name}>
              {revealInvisible(name)}
            </option>
          ))}
        </select>
      </label>
    </CreateForm>
  );
}
