import { randomBytes } from "node:crypto";
import type { Channel } from "../../channels/channel.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { isAlwaysSent, judgeHeldNotice, repeatMs } from "../../domain/ask/sending.ts";
import { makeId } from "../../shared/ids.ts";
import type { OutboxRow, OutboxTable } from "../../store/outbox.ts";
import { isUsable } from "./outbox.ts";
import type { OpenQuestion, Questions } from "./questions.ts";

/** Queues a card for every open question that has none. Returns false if some still wait for the person to leave. */
export function queueCards(
  outbox: OutboxTable,
  questions: Questions,
  channels: readonly Channel[],
  isHeldBack: boolean,
  nowMs: number,
): boolean {
  let areAllOut = true;
  for (const question of questions.listOpen()) {
    const known = new Set(outbox.listCards(question.id).map(({ channel }) => channel));
    const missing = channels.filter((channel) => isUsable(channel) && !known.has(channel.name));
    if (missing.length === 0) continue;
    if (isHeldBack && question.urgency !== "now") areAllOut = false;
    else for (const channel of missing) outbox.insert(makeCardRow(questions, question, channel, nowMs));
  }
  return areAllOut;
}

/** The ticket is made once, here. It is valid for this question, this channel and this exact input. */
function makeCardRow(
  questions: Questions,
  question: OpenQuestion,
  channel: Channel,
  nowMs: number,
): OutboxRow {
  return {
    ...makeRow(channel, `question:${question.id}`, nowMs),
    kind: "card",
    state: "waiting",
    questionId: question.id,
    ticket: randomBytes(18).toString("base64url"),
    inputHash: questions.getInputHash(question.id) ?? null,
  };
}

/** Updates the cards of settled questions; a card that was never sent is dropped. */
export function settleCards(
  outbox: OutboxTable,
  questions: Questions,
  rows: readonly OutboxRow[],
  nowMs: number,
): void {
  for (const row of rows) {
    const outcome = questions.getOutcome(row.questionId ?? "");
    if (!outcome) continue;
    const isUnseen = row.place === null && (row.state === "waiting" || row.state === "parked");
    if (isUnseen) outbox.update({ ...row, state: "dropped" });
    else if (row.place !== null && row.state === "sent" && row.shown !== outcome.text)
      outbox.update({ ...row, state: "waiting", attempts: 0, dueAt: nowMs, queuedAt: nowMs });
  }
}

/**
 * Queues a notification and holds it back for now. It replaces an unsent one of the same kind and session. A notice about
 * an approval is neither held back nor merged: whoever gave the approval could also set presence.
 */
export function queueNotice(outbox: OutboxTable, channel: Channel, notice: Notice, nowMs: number): void {
  const prefix = `${notice.kind}:${notice.asker.sessionId ?? notice.asker.agent}:`;
  const text = JSON.stringify(notice);
  const row = { ...makeRow(channel, prefix + makeId(nowMs), nowMs), notice: text };
  if (isAlwaysSent(notice)) return void outbox.insert({ ...row, state: "waiting" });
  const earlier = outbox.findUnsentNotice(channel.name, prefix);
  const isRepeat = earlier && (notice.kind !== "news" || earlier.notice === text);
  if (isRepeat) outbox.update({ ...earlier, notice: text, repeats: earlier.repeats + 1, queuedAt: nowMs });
  else if (!outbox.hasSentSince(channel.name, prefix, text, nowMs - repeatMs)) outbox.insert(row);
}

/**
 * Releases notifications that may be sent now, and drops those that the person has seen. Returns false if some are
 * still held back.
 */
export function releaseNotices(
  outbox: OutboxTable,
  person: { isHere: boolean; lastSignAt: number | null },
  isQuiet: boolean,
  nowMs: number,
): boolean {
  let areAllOut = true;
  for (const row of outbox.listHeld()) {
    const verdict = judgeHeldNotice(row.queuedAt, person, isQuiet);
    if (verdict === "hold") areAllOut = false;
    else outbox.update({ ...row, state: verdict === "seen" ? "dropped" : "waiting", dueAt: nowMs });
  }
  return areAllOut;
}

function makeRow(channel: Channel, key: string, nowMs: number): OutboxRow {
  return {
    id: makeId(nowMs),
    channel: channel.name,
    key,
    kind: "notice",
    state: "held",
    questionId: null,
    ticket: null,
    inputHash: null,
    notice: null,
    repeats: 1,
    place: null,
    shown: null,
    attempts: 0,
    dueAt: nowMs,
    queuedAt: nowMs,
    error: null,
    createdAt: nowMs,
    postedAt: null,
  };
}
