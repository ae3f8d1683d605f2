import type { Channel } from "../../channels/channel.ts";
import { formatPerson } from "../../domain/access/person-name.ts";
import type { Notice } from "../../domain/ask/card.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import type { ChannelView, OutboxView, PersonView, PresenceView } from "../../protocol/reach.ts";
import type { Peer } from "../../http/peer.ts";
import { ageMs } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Audit } from "./audit.ts";
import type { CallerCheck } from "./caller.ts";
import { isAnsweringChannel, type Pairing } from "./pairing.ts";
import type { PresenceWatch } from "./presence.ts";
import type { Reach } from "./reach.ts";
import type { ReachControl } from "./open-reach.ts";
import type { RequirePerson } from "./require-person.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** A person who pressed a key or a button this recently is at the machine. */
const recentMs = 60_000;

interface ReachHandlersDeps extends Pick<DaemonContext, "store" | "clock"> {
  caller: CallerCheck;
  presence: PresenceWatch;
  reach: ReachControl;
  pairing: Pairing;
  audit: Audit;
  requirePerson: RequirePerson;
  channels: readonly Channel[];
  /** The name of the person at this machine. */
  owner: string;
}

/** Handlers of the endpoints for presence, outbox, audit and pairing. */
export function makeReachHandlers(deps: ReachHandlersDeps): Handlers<typeof reachEndpoints> {
  const { store, presence, reach, pairing, audit, requirePerson } = deps;

  function viewMessage(id: string): OutboxView {
    const row = store.outbox.byId(id);
    if (!row) throw new AppError("message_not_found", `There is no message ${id}.`);
    return viewRow(row);
  }

  /** A slash command comes from a process of the agent, but its person has just typed it. */
  const wasSeenRecently = (): boolean => ageMs(presence.judge().lastSignAt ?? 0, deps.clock()) < recentMs;

  /** While the person counts as here, nothing is sent to them, so an agent may not claim that they are. */
  async function requireSign(peer: Peer): Promise<void> {
    const verdict = await deps.caller.mayDecide(peer);
    if (!verdict.may)
      throw new AppError("may_not_decide", `Only a person may say that they are here: ${verdict.why}.`);
  }

  const viewPerson = (person: PersonView): PersonView => ({
    ...person,
    name: formatPerson(person.name, deps.owner),
  });

  return {
    getPresence: () => viewPresence(presence, reach),
    async setPresence({ body: update, caller: { peer } }) {
      if ("seen" in update) {
        await requireSign(peer);
        presence.recordViewer();
      } else {
        // "away" is for anyone: it sends more, not less.
        if (update.state !== "away" && !wasSeenRecently()) await requireSign(peer);
        presence.set(update.state);
      }
      return viewPresence(presence, reach);
    },
    listOutbox: ({ query: { limit, all } }) => ({
      messages: store.outbox.list(limit, all === "1").map(viewRow),
    }),
    retryMessage({ params: { id } }) {
      const view = viewMessage(id);
      if (!reach.retry(id)) throw new AppError("message_not_found", `Message ${id} is ${view.state}.`);
      return viewMessage(id);
    },
    async dropMessage({ params: { id }, caller: { peer } }) {
      const row = store.outbox.byId(id);
      const about = { action: "drop-message", questionId: row?.questionId ?? null } as const;
      const place = await requirePerson(peer, { ...about, place: "api", subject: row?.kind ?? "message" });
      const view = viewMessage(id);
      if (!reach.drop(id)) throw new AppError("message_not_found", `Message ${id} is ${view.state}.`);
      const detail = `${view.kind} on ${view.channel}`;
      audit.record({ ...about, place, who: "a person on this machine", result: "accepted", detail });
      return viewMessage(id);
    },
    listAudit: ({ query: { limit } }) => ({
      entries: audit.list(limit).map((entry) => ({ ...entry, who: formatPerson(entry.who, deps.owner) })),
    }),
    listPairings: () => ({ people: pairing.people().map(viewPerson), pending: pairing.pending() }),
    async offerPairing({ body: { channel, name }, caller: { peer } }) {
      await requirePerson(peer, { action: "offer-pairing", place: channel.slice(0, 40) });
      const open = deps.channels.find((each) => each.name === channel);
      if (isAnsweringChannel(channel) && !open)
        throw new AppError(
          "channel_refused",
          `${channel} is not set up, so it cannot receive a code: run \`rookery setup ${channel}\` first.`,
        );
      const offer = pairing.offer(channel, name);
      open?.expectCode?.(offer.expiresAt);
      return offer;
    },
    async revokePairing({ params: { id }, caller: { peer } }) {
      await requirePerson(peer, { action: "revoke", place: "api" });
      return viewPerson(pairing.revoke(id));
    },
  };
}

export function viewPresence(presence: PresenceWatch, reach: Reach): PresenceView {
  const { isHere, reason, lastSignAt } = presence.judge();
  return { isHere, reason, isQuiet: presence.isQuiet(), lastSignAt, canBeReached: reach.canReach() };
}

export function viewChannels(channels: readonly Channel[], store: Store): ChannelView[] {
  const people = store.access.listPeople();
  return channels.map((channel) => ({
    name: channel.name,
    ...channel.health(),
    canAnswer: channel.canAnswer,
    people: people.filter((person) => person.channel === channel.name).length,
  }));
}

function viewRow(row: OutboxRow): OutboxView {
  const { id, channel, kind, state, attempts, error, createdAt, dueAt } = row;
  const about = row.notice ? (parseJson(row.notice) as Notice).headline : `question ${row.questionId ?? ""}`;
  return { id, channel, kind, state, about, attempts, error, createdAt, nextTryAt: dueAt };
}
