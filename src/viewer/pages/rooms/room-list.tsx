import type { AgentView } from "../../../protocol/api.ts";
import type { RoomView } from "../../../protocol/mail.ts";
import { makeHash } from "../../data/route.ts";
import { formatCount } from "../../data/format.ts";
import { Age, Line } from "../../parts/text.tsx";

interface RoomListProps {
  rooms: RoomView[];
  agents: AgentView[];
  selected: string | undefined;
}

const order: Record<AgentView["status"], number> = { waiting: 0, working: 1, idle: 2, gone: 3 };

/** Shared rooms, then agents and people to write to directly, then rooms between agents. */
export function RoomList({ rooms, agents, selected }: RoomListProps) {
  const names = new Set(agents.map(({ name }) => name));
  const newestFirst = rooms.toSorted((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0));
  const shared = newestFirst.filter(({ kind }) => kind !== "direct");
  const people = newestFirst.filter(({ partner }) => partner !== null && !names.has(partner));
  const betweenAgents = newestFirst.filter(({ isYours }) => !isYours);
  const byStatus = agents.toSorted((a, b) => order[a.status] - order[b.status]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="All rooms">
      <Group name="Rooms">
        {shared.map((room) => (
          <RoomRow key={room.id} room={room} name={room.name} isSelected={room.id === selected} />
        ))}
      </Group>
      <Group name="Agents">
        {byStatus.map((agent) => {
          const room = rooms.find(({ partner }) => partner === agent.name);
          const isSelected = agent.name === selected || (room !== undefined && room.id === selected);
          return <AgentRow key={agent.id} agent={agent} room={room} isSelected={isSelected} />;
        })}
      </Group>
      <Group name="People">
        {people.map((room) => (
          <RoomRow
            key={room.id}
            room={room}
            name={room.partner ?? room.name}
            isSelected={room.id === selected}
          />
        ))}
      </Group>
      <Group name="Between agents">
        {betweenAgents.map((room) => (
          <RoomRow key={room.id} room={room} name={room.name} isSelected={room.id === selected} />
        ))}
      </Group>
    </div>
  );
}

function Group({ name, children }: { name: string; children: preact.JSX.Element[] }) {
  if (children.length === 0) return null;
  return (
    <section class="room-group">
      <h2>{name}</h2>
      <ul class="results">
        {children.map((child) => (
          <li key={child.key}>{child}</li>
        ))}
      </ul>
    </section>
  );
}

function RoomRow({ room, name, isSelected }: { room: RoomView; name: string; isSelected: boolean }) {
  return (
    <a data-row class="row" href={makeHash("rooms", room.id)} aria-current={isSelected ? "true" : undefined}>
      <span class="room-mark" aria-hidden="true">
        {room.kind === "direct" ? "@" : "#"}
      </span>
      <RowText name={name} room={room} fallback="No messages yet" />
      <Unread room={room} />
    </a>
  );
}

interface AgentRowProps {
  agent: AgentView;
  room: RoomView | undefined;
  isSelected: boolean;
}

function AgentRow({ agent, room, isSelected }: AgentRowProps) {
  const { name, status, focus } = agent;
  return (
    <a
      data-row
      class={`row ${status === "gone" ? "row-gone" : ""}`}
      href={makeHash("rooms", name)}
      aria-current={isSelected ? "true" : undefined}
    >
      <span class={`dot dot-${status}`} title={status}>
        <span class="visually-hidden">{status}</span>
      </span>
      <RowText name={name} room={room} fallback={focus ?? (status === "gone" ? "gone" : "no prompt yet")} />
      <Unread room={room} />
    </a>
  );
}

function RowText({ name, room, fallback }: { name: string; room: RoomView | undefined; fallback: string }) {
  return (
    <span class="row-text">
      <span class="row-head">
        <Line class="row-title" text={name} />
        {room?.lastMessageAt && (
          <span class="row-when">
            <Age at={room.lastMessageAt} />
          </span>
        )}
      </span>
      <span class="row-snippet">
        {room?.last ? (
          <>
            <Line text={room.last.from} />: <Line text={room.last.text} />
          </>
        ) : (
          <Line text={fallback} />
        )}
      </span>
    </span>
  );
}

function Unread({ room }: { room: RoomView | undefined }) {
  if (!room || room.unread === 0) return null;
  return (
    <span class="count" title={formatCount(room.unread, "new message")}>
      {room.unread > 99 ? "99+" : room.unread}
      <span class="visually-hidden"> new</span>
    </span>
  );
}
