import { useState } from "preact/hooks";
import type { AgentView } from "../../protocol/api.ts";
import type { RoomView } from "../../protocol/mail.ts";
import { RequestError } from "../data/api.ts";
import { findRoom, mailError, rooms } from "../data/mail.ts";
import { useResource } from "../data/resource.ts";
import { makeHash, route } from "../data/route.ts";
import { useFirst } from "../data/use-first.ts";
import { Empty, Loading } from "../parts/empty.tsx";
import { CreateButton } from "../parts/create-form.tsx";
import { Conversation } from "./rooms/conversation.tsx";
import { NewRoom } from "./rooms/new-room.tsx";
import { RoomList } from "./rooms/room-list.tsx";
import { RoomSide } from "./rooms/room-side.tsx";

const changesAgents = ({ type }: { type: string }): boolean =>
  /^(?:session|question|delivery)\./.test(type) || type === "turn.ended" || type === "event.stored";

/** The width from which the list and a conversation are side by side. */
const talkMinWidth = 861;
let lastOpened: string | undefined;

/** A room with messages for the person, else the shared room that was used last, else an agent. */
function findFirst(all: RoomView[], agents: AgentView[]): string | undefined {
  const newestFirst = all.toSorted((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0));
  const room =
    newestFirst.find(({ unread, isMuted }) => unread > 0 && !isMuted) ??
    newestFirst.find(({ kind }) => kind !== "direct");
  return room?.id ?? agents[0]?.name;
}

/** Conversations between agents and people, with their tasks and leases. */
export function Rooms() {
  const { id } = route.value;
  const known = useResource("GET /api/agents", {}, changesAgents);
  const agents = known.data?.agents ?? [];
  const tasks = useResource(
    "GET /api/tasks",
    { query: { limit: 200 } },
    ({ type }) => type === "task.changed",
  );
  const leases = useResource("GET /api/leases", {}, ({ type }) => type === "lease.changed");
  const owner = useResource("GET /api/matrix", {}).data?.owner ?? "";
  const [isCreating, setCreating] = useState(false);
  const [isSideOpen, setSideOpen] = useState(false);
  if (id !== undefined) lastOpened = id;
  useFirst("rooms", lastOpened ?? findFirst(rooms.value ?? [], agents), talkMinWidth);

  if (!rooms.value || !known.data) return <NoRooms error={mailError.value ?? known.error} />;
  if (rooms.value.length + agents.length === 0) return <NoAgents />;
  const room = id === undefined ? undefined : findRoom(id);
  const agent = agents.find(({ name }) => name === (room?.partner ?? id));
  return (
    <div class={`rooms ${id === undefined ? "" : "rooms-open"} ${isSideOpen ? "rooms-side-open" : ""}`}>
      <div class="rooms-title">
        <h1>Rooms</h1>
        <CreateButton noun="room" isOpen={isCreating} setOpen={setCreating} />
      </div>
      <section class="rooms-list" aria-label="Rooms">
        {isCreating && <NewRoom agents={agents} onDone={() => setCreating(false)} />}
        <RoomList rooms={rooms.value} agents={agents} selected={id} />
      </section>
      <section class="rooms-talk" aria-label="Conversation">
        {id === undefined ? (
          <Hint />
        ) : (
          <Conversation
            key={id}
            name={id}
            {...{ room, agent, isSideOpen }}
            onSide={() => setSideOpen(!isSideOpen)}
          />
        )}
      </section>
      <aside class="rooms-side" aria-label="Present, tasks and leases">
        <RoomSide
          {...{ room, agent, agents, owner }}
          tasks={tasks.data?.tasks ?? []}
          leases={leases.data?.leases ?? []}
        />
      </aside>
    </div>
  );
}

function Hint() {
  return (
    <div class="hint">
      <p>Pick a room to read and write in it, or an agent to message it directly.</p>
      <p>A busy agent reads your message after its next tool call; an idle one is woken.</p>
      <p>
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>c</kbd> writes.
      </p>
    </div>
  );
}

function NoAgents() {
  return (
    <div class="page">
      <h1>Rooms</h1>
      <Empty title="No agents yet">
        <p>
          Every session is an agent with a name of its own, and every project has a room for you and its
          agents. Start <kbd>claude</kbd> in a project, and both appear here.
        </p>
        <p>
          In two sessions of one project, ask one to message the other: you can read the conversation and
          reply to both.
        </p>
        <p>
          To join from a Matrix client: <kbd>rookery matrix invite NAME</kbd>
        </p>
      </Empty>
    </div>
  );
}

function NoRooms({ error }: { error: Error | undefined }) {
  const isOff = error instanceof RequestError && error.code === "matrix_off";
  return (
    <div class="page">
      <h1>Rooms</h1>
      {isOff ? (
        <Empty title="Mail is switched off">
          <p>
            Turn on <code>matrix.enabled</code> in the{" "}
            <a href={makeHash("settings", undefined, { q: "matrix.enabled" })}>settings</a> to let agents and
            people message each other. The homeserver runs inside the daemon.
          </p>
        </Empty>
      ) : (
        <Loading error={error} />
      )}
    </div>
  );
}
