import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Notice } from "../../domain/ask/card.ts";
import {
  type AnswerHints,
  type Channel,
  ChannelError,
  type ChannelHealth,
  type Inbox,
  type OpenCard,
  type MessageRef,
} from "../channel.ts";
import { drawCard, drawNotice, drawOutcome } from "./draw.ts";
import type { MatrixClient } from "../../matrix-client/client.ts";
import { fillGap } from "../../matrix-client/fill-gap.ts";
import { followSync } from "../../matrix-client/follow-sync.ts";
import { makeMessageRef, parseMessageRef, readTextReply, interpretReply } from "./read-reply.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import { listRooms, type SyncResponse, type TimelineEvent } from "../../matrix-client/sync-response.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface MatrixChannelOptions {
  /** Signs in to the account that sends questions. */
  signIn(): Promise<MatrixClient>;
  /** Called when its token was refused: the next sign-in gets a new one if possible. */
  forget(client: MatrixClient): void;
  /** User ids of the paired people. */
  people(): string[];
  /** The sync position, kept across restarts. */
  loadSince(): string | undefined;
  saveSince(since: string): void;
  /** Whether the account belongs to a bot: its messages never count as a person's. */
  isBot(userId: string): boolean;
  /** Whether to accept invitations from this user. */
  mayInvite(userId: string): boolean;
  /** Whether a text outside a card is addressed to us; if the account has other uses, most texts are not. */
  isForUs(text: string): boolean;
}

const hints: AnswerHints = {
  decide: "To allow or deny, reply with one of the lines on the card, with its code.",
  several: "Reply with one number per question, for example: 1 2",
  address: "Reply to the message of a question.",
};
const signInRetryMs = 5_000;
/** Number of cards to remember, so that late replies to settled ones are still recognised. */
const maxRememberedCards = 200;

/**
 * Sends questions and notices to a private room with the paired people. Answers are replies, numbers, or lines with a
 * card's code.
 */
export function makeMatrixChannel(options: MatrixChannelOptions): Channel {
  const rememberedCards = new Map<MessageRef, OpenCard>();
  let signedIn: MatrixClient | undefined;
  let state: ChannelHealth = { state: "connecting", detail: "" };
  let ending = new AbortController();
  let ended: Promise<void> = Promise.resolve();

  async function client(): Promise<MatrixClient> {
    signedIn ??= await options.signIn();
    return signedIn;
  }

  function forget(): void {
    if (signedIn) options.forget(signedIn);
    signedIn = undefined;
  }

  /** Makes a call, and repeats it once with a new token if the old one is refused. */
  async function attempt<T>(work: (client: MatrixClient) => Promise<T>): Promise<T> {
    try {
      return await work(await client());
    } catch (error) {
      if (!(error instanceof MatrixError) || error.status !== 401) throw toChannelError(error);
      forget();
      return work(await client()).catch((again: unknown) => Promise.reject(toChannelError(again)));
    }
  }

  async function post(text: string, msgtype: string, key: string, file?: { name: string; text: string }) {
    const people = options.people();
    if (people.length === 0)
      throw new ChannelError("never", "no one is paired on Matrix: run `rookery pair matrix`");
    return attempt(async (matrix) => {
      const roomId = await findPrivateRoom(matrix, people);
      if (file) {
        const url = await matrix.upload(file.name, file.text);
        const info = { mimetype: "text/plain", size: Buffer.byteLength(file.text) };
        const content = { msgtype: "m.file", body: file.name, url, info, "m.mentions": {} };
        await matrix.send(roomId, "m.room.message", content, `${key}-file`);
      }
      const content = { msgtype, body: text, "m.mentions": {} };
      return makeMessageRef(roomId, await matrix.send(roomId, "m.room.message", content, key));
    });
  }

  async function listen(inbox: Inbox, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const matrix = await client();
        await followSync({
          client: matrix,
          since: options.loadSince(),
          onAnswer: (answer) => handleSync(matrix, inbox, answer, signal),
          onHealth: (trouble) => {
            state = trouble ? { state: "failing", detail: trouble } : { state: "ready", detail: "" };
          },
          presence: () => "online",
          jitter: Math.random,
          signal,
        });
      } catch (error) {
        if (signal.aborted) return;
        const isRefused = error instanceof MatrixError && (error.status === 401 || error.status === 403);
        state = { state: isRefused ? "misconfigured" : "failing", detail: (error as Error).message };
        forget();
        await pause(signInRetryMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
      }
    }
  }

  /** The sync position is only saved after all events are stored, so events that the inbox failed to store are read again. */
  async function handleSync(
    matrix: MatrixClient,
    inbox: Inbox,
    answer: SyncResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { joined, invited } = listRooms(answer);
    for (const { roomId, inviter } of invited)
      if (inviter && options.mayInvite(inviter)) await matrix.join(roomId).catch(ignoreRefusal);
    const since = options.loadSince();
    const isFirst = since === undefined;
    for (const { roomId, events, gapBefore } of joined) {
      const gap = gapBefore && since ? await fillGap(matrix, roomId, gapBefore, since) : undefined;
      for (const event of [...(gap?.events ?? []), ...events])
        if (!signal.aborted && event.sender !== matrix.userId)
          await handleEvent(matrix, inbox, roomId, event, isFirst);
    }
    if (!signal.aborted) options.saveSince(answer.next_batch);
  }

  async function handleEvent(
    matrix: MatrixClient,
    inbox: Inbox,
    roomId: string,
    event: TimelineEvent,
    isFirst: boolean,
  ): Promise<void> {
    const replied = readTextReply(roomId, event);
    if (!replied) return;
    const open = [...rememberedCards.values()].filter(
      ({ place }) => parseMessageRef(place).roomId === roomId,
    );
    const { target, content } = interpretReply(replied, open);
    // Messages from before we joined are ignored, except replies to cards.
    if (target === null && (isFirst || (content.type === "text" && !options.isForUs(content.text)))) return;
    const isKnown = options.people().includes(event.sender);
    const isDirect = isKnown || (await matrix.joinedMembers(roomId)).length === 2;
    const { message } = await inbox.receive({
      id: event.event_id,
      channel: "matrix",
      sender: {
        id: event.sender,
        team: null,
        name: event.sender,
        isGuest: false,
        isBot: options.isBot(event.sender),
      },
      room: { id: roomId, isDirect, isShared: false },
      at: event.origin_server_ts,
      target,
      content,
      hints,
    });
    const people = options.people();
    // Just paired: questions go to the room that the person wrote in.
    if (!isKnown && people.length === 1 && people[0] === event.sender)
      await rememberRoom(matrix, people, roomId);
    if (message === null) return;
    const relation = { "m.in_reply_to": { event_id: event.event_id } };
    const response = { msgtype: "m.notice", body: message, "m.mentions": {}, "m.relates_to": relation };
    await matrix.send(roomId, "m.room.message", response, `say-${event.event_id}`).catch(ignoreRefusal);
  }

  return {
    name: "matrix",
    canAnswer: true,
    start(inbox) {
      ending = new AbortController();
      ended = listen(inbox, ending.signal);
    },
    async stop() {
      ending.abort();
      await ended;
    },
    health: () =>
      options.people().length === 0 && state.state !== "misconfigured"
        ? { state: "off", detail: "No one is paired. Run: rookery pair matrix" }
        : state,
    post(card, key) {
      const { text, file } = drawCard(card);
      return post(text, "m.text", key, file);
    },
    async settle(place, card, outcome) {
      const { roomId, eventId } = parseMessageRef(place);
      const body = drawOutcome(card, outcome);
      const content = { msgtype: "m.text", body, "m.mentions": {} };
      const relation = { rel_type: "m.replace", event_id: eventId };
      const edit = { ...content, body: `* ${body}`, "m.new_content": content, "m.relates_to": relation };
      await attempt((matrix) => matrix.send(roomId, "m.room.message", edit, randomUUID()));
    },
    notify: (notice: Notice, key) => post(drawNotice(notice), "m.notice", key),
    watch(open) {
      for (const each of open) rememberedCards.set(each.place, each);
      dropOldest(rememberedCards, maxRememberedCards);
    },
  };
}

function toChannelError(error: unknown): unknown {
  if (!(error instanceof MatrixError)) return error;
  const { retryAfterMs, message } = error;
  const afterMs = retryAfterMs ?? 0;
  return new ChannelError(retryAfterMs === undefined ? "never" : "later", message, { afterMs, cause: error });
}

/** A room that is gone or closed must not affect the others. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined) throw error;
}

/** Account data that maps people to rooms, stored on the server: it survives restarts and is visible only to us. */
const ownType = "com.rookery.private_rooms";

/** Finds the room with exactly these people, or creates it and invites them. Questions are visible to no one else. */
async function findPrivateRoom(client: MatrixClient, people: readonly string[]): Promise<string> {
  const rooms = ((await client.getAccountData(ownType)) ?? {}) as Record<string, string>;
  const known = rooms[keyOf(people)];
  if (known && (await isStillShared(client, known, people))) return known;
  const id = await client.createRoom({ name: "Rookery", invite: [...people], isDirect: people.length === 1 });
  await rememberRoom(client, people, id);
  return id;
}

async function rememberRoom(client: MatrixClient, people: readonly string[], id: string): Promise<void> {
  const rooms = ((await client.getAccountData(ownType)) ?? {}) as Record<string, string>;
  await client.setAccountData(ownType, { ...rooms, [keyOf(people)]: id });
  const [only, ...others] = people;
  if (only === undefined || others.length > 0) return;
  const direct = ((await client.getAccountData("m.direct")) ?? {}) as Record<string, string[]>;
  const known = direct[only] ?? [];
  if (!known.includes(id)) await client.setAccountData("m.direct", { ...direct, [only]: [...known, id] });
}

function keyOf(people: readonly string[]): string {
  return people.toSorted().join(" ");
}

/** Whether we are still in the room and everyone else is in it or invited. */
async function isStillShared(
  client: MatrixClient,
  roomId: string,
  people: readonly string[],
): Promise<boolean> {
  try {
    const members = await Promise.all(
      people.map((userId) => client.getState(roomId, "m.room.member", userId)),
    );
    return members.every((member) => member?.membership === "join" || member?.membership === "invite");
  } catch (error) {
    if (error instanceof MatrixError && error.retryAfterMs === undefined && error.status !== 401)
      return false;
    throw error;
  }
}
