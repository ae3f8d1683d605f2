import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Reply } from "../../channels/channel.ts";
import { type AnsweringChannel, answeringChannels } from "../../protocol/ask.ts";
import {
  makePairingCode,
  maxPending,
  maxWrongCodes,
  pairingMs,
  readPairingCode,
} from "../../domain/access/pairing.ts";
import { stripInvisible } from "../../shared/defuse.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import { owner } from "../../protocol/ask.ts";
import type { PersonView } from "../../protocol/reach.ts";
import type { Store } from "../../store/open-store.ts";
import type { Audit } from "./audit.ts";
import { toOneLine } from "../../shared/text.ts";

/**
 * Pairs an account in a chat with the person who may answer. The code goes from the terminal to the chat, never the
 * other way: only someone who sees this machine's terminal can pair, and a stranger who writes to the bot gains
 * nothing.
 */
export interface Pairing {
  /**
   * A code for the terminal to show. The account that sends it belongs to the person at this machine, or to the one
   * named. Throws when too many are pending.
   */
  offer(channel: string, name?: string): { id: string; channel: string; code: string; expiresAt: number };
  pending(): { id: string; channel: string; createdAt: number; expiresAt: number }[];
  people(): PersonView[];
  revoke(id: string): PersonView;
  /** Checks whether a text from an unknown sender is a valid code. Runs inside the caller's transaction. */
  redeem(reply: Reply, text: string): "paired" | "wrong" | "void" | "not-a-code";
}

export function openPairing(store: Store, audit: Audit, clock: Clock): Pairing {
  const { access } = store;

  function redeem(reply: Reply, text: string): ReturnType<Pairing["redeem"]> {
    const pending = access.listPendingPairings(clock()).filter(({ channel }) => channel === reply.channel);
    const code = readPairingCode(text);
    if (pending.length === 0 || code === undefined || !canPairIn(reply)) return "not-a-code";
    const { id: sender, team } = reply.sender;
    const who = describeSender(reply.sender);
    const match = pending.find(({ codeHash }) => isSameHash(codeHash, hashCode(code)));
    if (match) {
      const { name } = match;
      access.removePairing(match.id);
      access.addPerson({
        id: makeId(clock()),
        channel: reply.channel,
        sender,
        team,
        name,
        pairedAt: clock(),
      });
      audit.record({
        action: "pair",
        result: "accepted",
        place: reply.channel,
        who,
        detail: `${cleanName(reply.sender.name)} as ${name}`,
      });
      return "paired";
    }
    access.countWrong(reply.channel);
    const isEnough = pending.some(({ wrong }) => wrong + 1 >= maxWrongCodes);
    if (isEnough) access.voidPairings(reply.channel);
    const detail = isEnough ? `${maxWrongCodes} wrong codes: all pending ones are void` : "wrong code";
    audit.record({
      action: "pair",
      result: isEnough ? "void" : "refused",
      place: reply.channel,
      who,
      detail,
    });
    return isEnough ? "void" : "wrong";
  }

  return {
    offer(channel, name) {
      if (!isAnsweringChannel(channel))
        throw new AppError(
          "invalid_payload",
          `Cannot pair anyone on ${JSON.stringify(channel.slice(0, 40))}.`,
        );
      return store.db.transaction(() => {
        if (access.listPendingPairings(clock()).length >= maxPending)
          throw new AppError("too_many_pairings", `${maxPending} pairing codes are waiting already.`);
        const code = drawCode();
        const id = makeId(clock());
        const expiresAt = clock() + pairingMs;
        access.addPairing({
          id,
          channel,
          name: cleanName(name ?? "") || owner,
          codeHash: hashCode(code),
          wrong: 0,
          createdAt: clock(),
          expiresAt,
        });
        const detail = "a code was shown in a terminal";
        audit.record({
          action: "offer-pairing",
          result: "accepted",
          place: channel,
          who: "terminal",
          detail,
        });
        return { id, channel, code, expiresAt };
      });
    },
    pending: () =>
      access
        .listPendingPairings(clock())
        .map(({ id, channel, createdAt, expiresAt }) => ({ id, channel, createdAt, expiresAt })),
    people: () => access.listPeople(),
    revoke(id) {
      const matches = access.listPeople().filter((person) => person.id === id || person.id.endsWith(id));
      const [person, ...others] = matches;
      if (!person || others.length > 0)
        throw new AppError(
          "person_not_found",
          `${matches.length || "No"} paired people match ${id.slice(0, 80)}.`,
        );
      store.db.transaction(() => {
        access.removePerson(person.id);
        audit.record({
          action: "revoke",
          result: "accepted",
          place: person.channel,
          who: person.name,
          detail: "",
        });
      });
      return person;
    },
    redeem,
  };
}

/** Only ids of the service: a display name can be anything its owner types. */
export function describeSender({ id, team }: Reply["sender"]): string {
  return stripInvisible(team ? `${id}@${team}` : id).slice(0, 120);
}

/** Whether a code may be sent in a room. The user configured the Slack channel; in a Matrix room anyone may be reading. */
const mayPairInRoom: Record<AnsweringChannel, boolean> = {
  slack: true,
  matrix: false,
  telegram: false,
  discord: false,
  ntfy: false,
  webhook: false,
};

function canPairIn({ channel, room }: Reply): boolean {
  return room.isDirect || mayPairInRoom[channel];
}

function drawCode(): string {
  const code = makePairingCode(randomBytes(32));
  return readPairingCode(code) ?? drawCode();
}

function cleanName(name: string): string {
  return toOneLine(stripInvisible(name)).slice(0, 60);
}

export function isAnsweringChannel(name: string): name is AnsweringChannel {
  return (answeringChannels as readonly string[]).includes(name);
}

function hashCode(code: string): string {
  return hash("sha256", `rookery-pairing:${code}`);
}

function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

interface ServiceMark {
  /** Changes when the channel points to another service; undefined while it is off. */
  mark: string | undefined;
  /** Reason for the audit log. */
  reason: string;
}

/**
 * A pairing is valid for an account on one service. If the channel points to another one, its operator could claim the
 * same account: so people are unpaired and pending codes become void.
 */
export function unpairOnServiceChange(
  store: Store,
  audit: Audit,
  places: Record<AnsweringChannel, ServiceMark>,
): void {
  store.db.transaction(() => {
    for (const channel of answeringChannels) {
      const { mark, reason } = places[channel];
      if (mark === undefined) continue;
      const key = `place.${channel}`;
      const known = store.meta.getOrCreate(key, () => mark);
      if (known === mark) continue;
      store.meta.set(key, mark);
      store.access.voidPairings(channel);
      for (const person of store.access.listPeople().filter((each) => each.channel === channel)) {
        store.access.removePerson(person.id);
        const about = { action: "revoke", result: "accepted", place: channel } as const;
        audit.record({ ...about, who: person.name, detail: `${channel}: ${reason}` });
      }
    }
  });
}
