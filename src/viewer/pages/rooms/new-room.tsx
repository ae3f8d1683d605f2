import { useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import { call } from "../../data/api.ts";
import { reloadRooms } from "../../data/mail.ts";
import { go } from "../../data/route.ts";
import { CreateForm } from "../../parts/create-form.tsx";
import { Line } from "../../parts/text.tsx";

/** A form for a room with chosen members. Projects get their rooms automatically. */
export function NewRoom({ agents, onDone }: { agents: AgentView[]; onDone(): void }) {
  const [name, setName] = useState("");
  const [members, setMembers] = useState<ReadonlySet<string>>(new Set());
  const present = agents.filter(({ status }) => status !== "gone");
  const toggle = (agent: string): void => {
    const next = new Set(members);
    if (!next.delete(agent)) next.add(agent);
    setMembers(next);
  };
  async function create(): Promise<void> {
    const room = await call("POST /api/rooms", { body: { name, members: [...members] } });
    reloadRooms();
    go("rooms", room.id);
  }
  return (
    <CreateForm noun="room" isReady={name.trim() !== ""} create={create} onDone={onDone}>
      <label>
        Name
        <input
          required
          maxLength={60}
          placeholder="design"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {present.length > 0 && (
        <fieldset>
          <legend>Invite</legend>
          {present.map(({ id, name: agent }) => (
            <label key={id} class="check">
              <input type="checkbox" checked={members.has(agent)} onChange={() => toggle(agent)} />
              <Line text={agent} />
            </label>
          ))}
        </fieldset>
      )}
    </CreateForm>
  );
}
