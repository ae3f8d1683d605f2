import { useState } from "preact/hooks";
import type { AgentView } from "../../../protocol/api.ts";
import type { RoomView } from "../../../protocol/mail.ts";
import { makeHash } from "../../data/route.ts";
import { toneOf } from "../../data/tone.ts";
import { formatCount, stripMarkup } from "../../data/format.ts";
import { Age, Line } from "../../parts/text.tsx";

interface RoomListProps {
  rooms: RoomView[];
  agents: AgentView[];
  selected: string | undefined;
}

const order: Record<AgentView["status"], number> = { waiting: 0, working: 1, idle: 2, gone: 3 };

/** Shared rooms, then direct chats with agents and people, then rooms between agents, then agents that are gone. */
export function RoomList({ rooms, agents, selected }: RoomListProps) {
  const [words, setWords] = useState("");
  const matches = makeFilter(words);
  const names = new Set(agents.map(({ name }) => name));
  const newestFirst = rooms
    .filter(({ name, detail, partner }) => matches(partner ?? `${name} ${detail ?? ""}`))
    .toSorted((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0));
  const shared = newestFirst.filter(({ kind }) => kind !== "direct");
  const people = newestFirst.filter(({ partner }) => partner !== null && !names.has(partner));
  const betweenAgents = newestFirst.filter(({ isYours }) => !isYours);
  const known = agents
    .filter(({ name, project }) => matches(`${name} ${project}`))
    .toSorted((a, b) => order[a.status] - order[b.status])
    .map((agent) => ({ agent, room: rooms.find(({ partner }) => partner === agent.name) }));
  // An agent that is gone may have left a message.
  const [here, gone] = [
    known.filter(({ agent, room }) => agent.status !== "gone" || (room?.unread ?? 0) > 0),
    known.filter(({ agent, room }) => agent.status === "gone" && (room?.unread ?? 0) === 0),
  ];
  const renderRoom = (room: RoomView) => (
    <RoomRow key={room.id} room={room} name={room.partner ?? room.name} isSelected={room.id === selected} />
  );
  const renderAgent = ({ agent, room }: { agent: AgentView; room: RoomView | undefined }) => {
    const isSelected = agent.name === selected || (room !== undefined && room.id === selected);
    return <AgentRow key={agent.id} agent={agent} room={room} isSelected={isSelected} />;
  };
  const isEmpty = newestFirst.length + known.length === 0;
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Filter rooms"
          placeholder="Filter rooms …  /"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </form>
      <div class="scroll" tabIndex={0} role="region" aria-label="All rooms">
        {isEmpty && <p class="faint list-note">No room or agent has this name.</p>}
        <Group name="Rooms">{shared.map(renderRoom)}</Group>
        <Group name="Agents">{here.map(renderAgent)}</Group>
        <Group name="People">{people.map(renderRoom)}</Group>
        <Folded
          name={formatCount(betweenAgents.length, "chat between agents", "chats between agents")}
          isOpen={words !== ""}
        >
          {betweenAgents.map(renderRoom)}
        </Folded>
        <Folded name={formatCount(gone.length, "agent is gone", "agents are gone")} isOpen={words !== ""}>
          {gone.map(renderAgent)}
        </Folded>
      </div>
    </>
  );
}

/** All words must be in the name. */
function makeFilter(words: string): (name: string) => boolean {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (name) => parts.every((part) => name.toLowerCase().includes(part));
}

interface GroupProps {
  name: string;
  children: preact.JSX.Element[];
}

function Group({ name, children }: GroupProps) {
  if (children.length === 0) return null;
  return (
    <section class="room-group">
      <h2>{name}</h2>
      <Rows>{children}</Rows>
    </section>
  );
}

/** A group that is rarely needed. The selected row is never hidden. */
function Folded({ name, isOpen, children }: GroupProps & { isOpen: boolean }) {
  if (children.length === 0) return null;
  const hasSelected = children.some(({ props }) => props.isSelected);
  return (
    <details class="room-group" open={isOpen || hasSelected}>
      <summary>{name}</summary>
      <Rows>{children}</Rows>
    </details>
  );
}

function Rows({ children }: { children: preact.JSX.Element[] }) {
  return (
    <ul class="results">
      {children.map((child) => (
        <li key={child.key}>{child}</li>
      ))}
    </ul>
  );
}

function RoomRow({ room, name, isSelected }: { room: RoomView; name: string; isSelected: boolean }) {
  return (
    <a data-row class="row" href={makeHash("rooms", room.id)} aria-current={isSelected ? "true" : undefined}>
      <span class="room-mark" aria-hidden="true">
        {room.kind === "direct" ? "@" : "#"}
      </span>
      <RowText name={name} detail={room.detail} room={room} fallback="No messages yet" />
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
      <RowText
        name={name}
        tone={toneOf(name)}
        room={room}
        fallback={focus ?? (status === "gone" ? "gone" : "no prompt yet")}
      />
      <Unread room={room} />
    </a>
  );
}

interface RowTextProps {
  name: string;
  detail?: string | null;
  tone?: string;
  room: RoomView | undefined;
  fallback: string;
}

function RowText({ name, detail, tone = "", room, fallback }: RowTextProps) {
  return (
    <span class="row-text">
      <span class="row-head">
        <Line class={`row-title ${tone}`} text={name} />
        {room?.isMuted && <span class="row-when">muted</span>}
        {room?.lastMessageAt && (
          <span class="row-when">
            <Age at={room.lastMessageAt} />
          </span>
        )}
      </span>
      {detail && (
        <span class="row-meta" title={detail}>
          <Line text={detail} />
        </span>
      )}
      <span class="row-snippet">
        {room?.last ? (
          <>
            <Line text={room.last.from} />: <Line text={stripMarkup(room.last.text)} />
          </>
        ) : (
          <Line text={fallback} />
        )}
      </span>
    </span>
  );
}

/** Messages for the person as a number; agents among themselves as a dot. */
function Unread({ room }: { room: RoomView | undefined }) {
  if (!room || room.unread + room.chatter === 0) return null;
  if (room.unread === 0) {
    const words = formatCount(room.chatter, "new message between agents", "new messages between agents");
    return (
      <span class="chatter" title={words}>
        <span class="visually-hidden">{words}</span>
      </span>
    );
  }
  return (
    <span
      class={`count ${room.isMuted ? "count-muted" : ""}`}
      title={formatCount(room.unread, "new message for you", "new messages for you")}
    >
      {room.unread > 99 ? "99+" : room.unread}
      <span class="visually-hidden"> new</span>
    </span>
  );
}
