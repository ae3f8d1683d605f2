import type { MatrixClient } from "../../channels/matrix/client.ts";
import { follow } from "../../channels/matrix/follow.ts";
import { MatrixError } from "../../channels/matrix/request.ts";
import type { SyncAnswer, TimelineEvent } from "../../channels/matrix/sync-answer.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../bus.ts";
import type { Accounts } from "./accounts.ts";
import { listRooms, takeMail } from "./incoming.ts";

/** Listens on the homeserver for each agent that has a session: one long poll each. */
export interface Followers {
  add(agent: AgentRow): void;
  remove(agentId: string): void;
  /** Those who listen, and what is wrong where something is. */
  health(): { agent: string; trouble: string }[];
  stop(): Promise<void>;
}

export interface FollowersDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  accounts: Accounts;
}

/** How far back a gap is filled: whoever was away for longer reads the rest in the room. */
const mostPages = 10;
const pageSize = 100;
const signInAgainMs = 5_000;

export function openFollowers(deps: FollowersDeps): Followers {
  const { store, bus, log, accounts } = deps;
  const running = new Map<
    string,
    { name: string; trouble: string; abort: AbortController; ended: Promise<void> }
  >();

  async function listen(
    agent: AgentRow,
    signal: AbortSignal,
    onHealth: (trouble: string) => void,
  ): Promise<void> {
    while (!signal.aborted) {
      let client: MatrixClient | undefined;
      try {
        client = await accounts.ofAgent(agent);
        const { userId } = client;
        const take = (answer: SyncAnswer): Promise<void> => takeAnswer(agent, client as MatrixClient, answer);
        const since = store.rooms.cursor(userId);
        await follow({ client, since, onAnswer: take, onHealth, jitter: Math.random, signal });
      } catch (error) {
        if (signal.aborted) return;
        onHealth((error as Error).message);
        // A token that is void, a homeserver that is not up yet, a database that was exchanged.
        if (client && error instanceof MatrixError && error.status === 401) accounts.forget(client.userId);
        else log.warn("mail is not followed", { agent: agent.name, error });
        await sleep(signInAgainMs, signal);
      }
    }
  }

  async function takeAnswer(agent: AgentRow, client: MatrixClient, answer: SyncAnswer): Promise<void> {
    const since = store.rooms.cursor(client.userId);
    const { joined, invited } = listRooms(answer);
    for (const { roomId, inviter } of invited) await accept(client, roomId, inviter);
    const rooms: { roomId: string; events: TimelineEvent[] }[] = [];
    for (const { roomId, events, gapBefore } of joined) {
      const missed = gapBefore === undefined ? [] : await readGap(client, roomId, gapBefore, since);
      rooms.push({ roomId, events: [...missed, ...events] });
    }
    for (const fact of takeMail(deps, agent, client.userId, { since: answer.next_batch, rooms }))
      bus.publish(fact);
  }

  /** Back to where the agent was, or as far as is reasonable. Oldest first. What came before its time is not for it. */
  async function readGap(
    client: MatrixClient,
    roomId: string,
    gapBefore: string,
    since: string | undefined,
  ): Promise<TimelineEvent[]> {
    if (since === undefined && store.rooms.byId(roomId)?.kind !== "direct") return [];
    const pages: TimelineEvent[][] = [];
    let from: string | undefined = gapBefore;
    for (let page = 0; page < mostPages && from !== undefined; page++) {
      const { events, end } = await client.messagesBefore(roomId, { from, to: since, limit: pageSize });
      pages.push(events);
      from = events.length > 0 ? end : undefined;
    }
    return pages.flat().toReversed();
  }

  /** On our own homeserver everybody was let in by the owner. */
  async function accept(client: MatrixClient, roomId: string, inviter: string | undefined): Promise<void> {
    try {
      await client.join(roomId);
    } catch (error) {
      if (error instanceof MatrixError && error.retryAfterMs === undefined)
        log.warn("an invitation could not be accepted", { room: roomId, inviter, error });
      else throw error; // It will be told again.
    }
  }

  return {
    add(agent) {
      if (running.has(agent.id)) return;
      const abort = new AbortController();
      const entry = { name: agent.name, trouble: "", abort, ended: Promise.resolve() };
      entry.ended = listen(agent, abort.signal, (trouble) => {
        entry.trouble = trouble;
      });
      running.set(agent.id, entry);
    },
    remove(agentId) {
      running.get(agentId)?.abort.abort();
      running.delete(agentId);
    },
    health: () => [...running.values()].map(({ name, trouble }) => ({ agent: name, trouble })),
    async stop() {
      const all = [...running.values()];
      running.clear();
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
