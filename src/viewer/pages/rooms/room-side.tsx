import type { AgentView } from "../../../protocol/api.ts";
import type { LeaseView, RoomView, TaskView } from "../../../protocol/mail.ts";
import { addToDraft } from "../../data/drafts.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { toneOf } from "../../data/tone.ts";
import { Line } from "../../parts/text.tsx";
import { Leases } from "./leases.tsx";
import { Tasks } from "./tasks.tsx";

interface RoomSideProps {
  /** Undefined: all rooms. */
  room: RoomView | undefined;
  agent: AgentView | undefined;
  agents: AgentView[];
  /** The user's own name. */
  owner: string;
  tasks: TaskView[];
  leases: LeaseView[];
}

/** The side panel: members, tasks and leases. */
export function RoomSide({ room, agent, agents, owner, tasks, leases }: RoomSideProps) {
  const project = room?.kind === "project" ? room.name : undefined;
  const concerns = (of: string, ...names: (string | null)[]): boolean =>
    agent ? names.includes(agent.name) : project === undefined || of === project;
  return (
    <>
      {!agent && <Present {...{ room, agents }} />}
      <Tasks
        tasks={tasks.filter((task) => concerns(task.project, task.owner, task.requester))}
        {...{ project: project ?? agent?.project, agent, agents, owner }}
      />
      <Leases leases={leases.filter(({ project: of, holder }) => concerns(of, holder))} />
    </>
  );
}

function Present({ room, agents }: { room: RoomView | undefined; agents: AgentView[] }) {
  const isShared = room !== undefined && room.kind !== "direct";
  const { data } = useResource(
    "GET /api/rooms/:room/members",
    isShared ? { params: { room: room.id } } : undefined,
    ({ type }) => /^(?:session|message)\./.test(type),
  );
  const members = isShared ? data?.members : undefined;
  const there = agents.filter(({ name, status }) =>
    members ? members.some((member) => member.name === name) : status !== "gone",
  );
  const people = members?.filter(({ isAgent }) => !isAgent) ?? [];
  return (
    <section aria-labelledby="present-title">
      <h2 id="present-title">Present</h2>
      {there.length + people.length === 0 && <p class="faint">No agents yet. Every session joins as one.</p>}
      <ul class="present">
        {there.map((agent) => (
          <li key={agent.id}>
            <PresentAgent agent={agent} mentionIn={isShared ? room.id : undefined} />
          </li>
        ))}
        {people.map(({ name, isYou }) => (
          <li key={name}>
            <span class="room-mark" aria-hidden="true">
              @
            </span>
            <span>
              <Line text={name} /> {isYou && <span class="faint">you</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PresentAgent({ agent, mentionIn }: { agent: AgentView; mentionIn: string | undefined }) {
  const { name, status, focus } = agent;
  return (
    <>
      <span class={`dot dot-${status}`} aria-hidden="true" />
      <span class="present-text">
        <a class={toneOf(name)} href={makeHash("rooms", name)}>
          <Line text={name} />
        </a>
        <span class="faint present-focus">
          {status === "waiting" ? "waiting for you" : status}
          {focus && (
            <>
              {" "}
              · <Line text={focus} />
            </>
          )}
        </span>
      </span>
      {mentionIn !== undefined && status !== "gone" && (
        <button type="button" class="quiet mention" onClick={() => addToDraft(mentionIn, `@${name}`)}>
          @<span class="visually-hidden">Mention {name}</span>
        </button>
      )}
    </>
  );
}
