import type { PresenceState } from "../../matrix-client/client.ts";
import { agentStateType } from "../../domain/mail/message.ts";
import type { AgentStatus, AgentView } from "../../protocol/api.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { RoomFinder } from "./room-finder.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Shows people in a client, and agents on other machines, who is working on what. */
interface AgentPresence {
  stateOf(agent: AgentRow): PresenceState;
  start(): void;
  stop(): void;
}

interface AgentPresenceDeps extends Pick<DaemonContext, "store" | "bus" | "log"> {
  accounts: Accounts;
  agents: AgentViews;
  rooms: RoomFinder;
}

const states: Record<AgentStatus, PresenceState> = {
  working: "online",
  waiting: "online",
  idle: "unavailable",
  gone: "offline",
};

const words: Record<AgentStatus, string> = {
  working: "at work",
  waiting: "waiting for a human",
  idle: "idle",
  gone: "gone",
};

/** Turns begin and end every few seconds, so the state in a room's timeline changes at most this often. */
const stateEveryMs = 30_000;
const soonMs = 100;
const checkMs = 10_000;

export function openAgentPresence(deps: AgentPresenceDeps): AgentPresence {
  const { store, bus, log, accounts, agents, rooms } = deps;
  const shown = new Map<string, string>();
  const reported = new Map<string, { text: string; at: number }>();
  let unsubscribe = (): void => {};
  let timer: { stop(): void } | undefined;
  /** Names of agents with new events. */
  const touched = new Set<string>();
  let soon: NodeJS.Timeout | undefined;

  /** Updates a moment later: hooks do not wait for it, and events that happen together share one update. */
  function touch(name: string): void {
    touched.add(name);
    soon ??= setTimeout(() => {
      soon = undefined;
      runLogged(update, log);
    }, soonMs).unref();
  }

  function update(): void {
    const names = [...touched];
    touched.clear();
    for (const name of names) {
      const agent = store.agents.byName(name);
      if (!agent || store.projects.isOff(agent.project)) continue;
      const view = agents.view(agent);
      // It left before this daemon started: there is no state to replace.
      if (view.status === "gone" && !reported.has(agent.id)) continue;
      if (!accounts.isShared) show(agent, view);
      report(agent, view);
    }
  }

  /** Presence does not appear in a timeline, so it is updated at once. */
  function show(agent: AgentRow, view: AgentView): void {
    const message = describePresence(view, accounts.isOutside);
    if (shown.get(agent.id) === message) return;
    shown.set(agent.id, message);
    accounts
      .clientOfAgent(agent)
      .then((client) =>
        client.setPresence(states[view.status], describePresence(agents.view(agent), accounts.isOutside)),
      )
      .catch((error: unknown) => {
        shown.delete(agent.id); // Retried at the next update.
        log.debug("presence was not shown", { agent: agent.name, error });
      });
  }

  function report(agent: AgentRow, view: AgentView): void {
    const text = JSON.stringify(describe(view));
    const before = reported.get(agent.id);
    if (before?.text === text || (before && performance.now() - before.at < stateEveryMs)) return;
    reported.set(agent.id, { text, at: performance.now() });
    setState(agent).then(
      () => view.status === "gone" && reported.delete(agent.id),
      (error: unknown) => {
        reported.set(agent.id, { text: "", at: performance.now() }); // Sent again when the interval allows it.
        log.debug("an agent's state was not sent", { agent: agent.name, error });
      },
    );
  }

  async function setState(agent: AgentRow): Promise<void> {
    const project = store.projects.byPath(agent.project);
    if (!project) return;
    const client = await accounts.clientOfAgent(agent);
    const room = await rooms.joinProject(project, client);
    // Only that user may set a state key that looks like a user id.
    const key = accounts.isShared ? `${agent.name}@${accounts.machine.id}` : client.userId;
    // Read again: the focus may have been forgotten since.
    await client.setState(room.id, agentStateType, key, describe(agents.view(agent)));
  }

  function describe({ name, project, session, status, focus, branch }: AgentView): object {
    return {
      v: 1,
      agent: name,
      session_id: session,
      project,
      branch,
      host: accounts.machine.name,
      machine_id: accounts.machine.id,
      status,
      // A person's prompt stays on this machine.
      focus: accounts.isOutside ? null : focus,
    };
  }

  function touchReported(): void {
    for (const id of reported.keys()) touch(store.agents.byId(id)?.name ?? "");
  }

  return {
    stateOf: (agent) => states[agents.view(agent).status],
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if ("agent" in event) touch(event.agent);
        else if (event.type === "question.settled") touchReported();
      });
      // Sends states that the interval held back, and detects agents that left without an event.
      timer = repeat(checkMs, touchReported, log);
      for (const { name } of store.agents.all()) touch(name);
    },
    stop() {
      unsubscribe();
      timer?.stop();
      clearTimeout(soon);
    },
  };
}

function describePresence({ status, focus }: AgentView, isOutside: boolean): string {
  return status === "working" && focus && !isOutside ? `${words.working}: ${focus}` : words[status];
}
