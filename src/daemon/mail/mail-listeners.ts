import type { AgentRow } from "../../store/agents.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { openAgentPresence } from "./agent-presence.ts";
import { openFollowers } from "./followers.ts";
import type { RoomFinder } from "./room-finder.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Every agent with a live session listens and is in the room of its project; the person always listens. */
interface MailListeners {
  health(): { agent: string; trouble: string }[];
  start(): void;
  stop(): Promise<void>;
}

interface MailListenersDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  accounts: Accounts;
  agents: AgentViews;
  rooms: RoomFinder;
  owner: string;
  onLimit(text: string): void;
}

/** Interval of the check for agents that left without an event, and for projects that were switched on or off. */
const checkMs = 30_000;

export function openMailListeners(deps: MailListenersDeps): MailListeners {
  const { store, bus, log, clock, accounts, agents, rooms, owner, onLimit } = deps;
  const followers = openFollowers({ store, bus, log, clock, accounts, owner, onLimit });
  const presence = openAgentPresence({ store, bus, log, accounts, agents, rooms });
  let unsubscribe = (): void => {};
  let care: { stop(): void } | undefined;

  function checkAgents(): void {
    for (const agent of store.agents.all()) checkAgent(agent);
  }

  function checkAgent(agent: AgentRow): void {
    const isHere = agents.view(agent).status !== "gone" && !store.projects.isOff(agent.project);
    if (isHere) listenFor(agent);
    else followers.remove(agent.id);
  }

  /** With a shared account, one follower serves all agents. */
  function listenForAll(): void {
    followers.add({
      key: "person",
      name: accounts.isShared ? "all agents" : owner,
      signIn: accounts.clientOfOwner,
      agents: () =>
        accounts.isShared ? store.agents.all().filter(({ project }) => !store.projects.isOff(project)) : [],
      watchesPerson: true,
      // The person's own client reports their presence.
      presence: () => (accounts.isOutside ? "online" : "offline"),
    });
  }

  function listenFor(agent: AgentRow): void {
    const project = store.projects.byPath(agent.project);
    if (!project) return;
    if (!accounts.isShared)
      followers.add({
        key: agent.id,
        name: agent.name,
        signIn: () => accounts.clientOfAgent(agent),
        agents: () => [agent],
        // The person's account is not ours, and only the agent is in its direct room with the person.
        watchesPerson: accounts.isOutside,
        presence: () => presence.stateOf(agent),
      });
    accounts
      .clientOfAgent(agent)
      .then((client) => rooms.joinProject(project, client))
      .catch((error: unknown) =>
        log.warn("an agent is not in its project's room yet", { agent: agent.name, error }),
      );
  }

  /** Sends a read receipt for a delivered message, so that people see it was read. */
  function markRead(deliveryId: string): void {
    const delivery = store.deliveries.byId(deliveryId);
    const message = delivery?.messageId ? store.messages.byId(delivery.messageId) : undefined;
    const agent = delivery && store.agents.byId(delivery.agentId);
    if (!agent || !message?.eventId || !message.roomId) return;
    const { roomId, eventId } = message;
    accounts
      .clientOfAgent(agent)
      .then((client) => client.markRead(roomId, eventId))
      .catch((error: unknown) => log.warn("a receipt was not sent", { agent: agent.name, error }));
  }

  return {
    health: () => followers.health(),
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "delivery.confirmed") markRead(event.deliveryId);
        if (event.type !== "session.started" && event.type !== "session.completed") return;
        const agent = store.agents.byName(event.agent);
        if (agent) checkAgent(agent);
      });
      care = repeat(checkMs, checkAgents, log);
      presence.start();
      listenForAll();
      runLogged(checkAgents, log);
    },
    async stop() {
      unsubscribe();
      care?.stop();
      presence.stop();
      await followers.stop();
    },
  };
}
