import { existsSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Answer } from "../../domain/ask/question.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { owner } from "../../protocol/ask.ts";
import type { SpoolName } from "../../protocol/spool-name.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { QuestionBrief, QuestionRow } from "../../store/questions.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isSameProcess } from "../../shared/processes.ts";
import { repeatWhile } from "../runtime/repeat.ts";
import type { StoredRequest } from "../capture/intake.ts";
import type { WaitingBoard } from "../capture/waiting-board.ts";
import { makeExpiryCheck } from "./expiry.ts";
import { draftQuestion } from "./draft-question.ts";
import type { QuestionBook } from "./question-book.ts";
import { hasLiveDialog } from "./terminals.ts";

/** Questions of waiting hooks: opened by a permission request, answered through its hook, closed with it. */
export interface HookQuestions {
  /** Whether the hook should wait. If so, opens the question; a repeated call opens no second one. */
  openIfNeeded(request: StoredRequest): boolean;
  /** The hook has connected, or reconnected after a restart, and waits for the answer. */
  attach(name: SpoolName, socket: Socket): void;
  /** The host has ended the hook: Esc or No in the terminal, or the end of the session. */
  onDismissed(hookId: string): void;
  /** The person has allowed it in the terminal, and the host says so before the tool has run. */
  onAllowed(hookId: string): void;
  count(): number;
  start(): void;
  stop(): void;
}

interface HookQuestionsDeps {
  store: Store;
  book: QuestionBook;
  board: WaitingBoard<string>;
  log: Log;
  clock: Clock;
  spoolFolder: string;
  canReach(): boolean;
  isAway(): boolean;
  waitSeconds: number;
  subagentSeconds: number;
}

/** A hook that lost its daemon reconnects every second or two. */
const comeBackMs = 10_000;
/** A connection only breaks if the hook is dead or about to reconnect. */
const reconnectMs = 5_000;
/** The end of a session is reported a moment after its hooks have ended. */
const graceMs = 400;
const checkMs = 2_000;

export function openHookQuestions(deps: HookQuestionsDeps): HookQuestions {
  const { store, book, board, clock } = deps;
  /** Open or just answered questions whose hook is not connected, with the time at which to give up. */
  const lost = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const care = repeatWhile(checkMs, check, deps.log);
  const listExpired = makeExpiryCheck(clock);
  let isStopping = false;

  /** On any error no question is opened, and the dialog in the terminal stays as it is. */
  function openSafely(request: StoredRequest): boolean {
    try {
      return openQuestion(request);
    } catch (error) {
      deps.log.error("question not opened", { id: request.hookId, error });
      return false;
    }
  }

  function openQuestion(request: StoredRequest): boolean {
    const { session } = request.recorded;
    const subagentId = request.prepared.subagentId ?? null;
    if (store.projects.isOff(session.project)) return false;
    if (!mayWait(session, subagentId)) return false;
    const known = store.questions.byHook(request.hookId);
    if (known) return known.state === "open";
    const drafted = draftQuestion(store, request);
    if (!drafted) return false;
    const { question, input } = drafted;
    const { waitSeconds } = deps;
    const seconds = question.subagentId === null ? waitSeconds : Math.min(deps.subagentSeconds, waitSeconds);
    const row = book.add({ ...question, expiresAt: clock() + seconds * 1000 }, input);
    waitForReconnect(row.id);
    return true;
  }

  /** A hook that delays the dialog in the terminal waits only while the person is away. */
  function mayWait(session: SessionRow, subagentId: string | null): boolean {
    const { dialog } = hostFor(session.host).requests;
    if (dialog === "event") return true;
    if (dialog !== "beside") return dialog === "before" && deps.isAway() && deps.canReach();
    return deps.canReach() || hasLiveDialog(session, subagentId);
  }

  function attach({ id: hookId, name }: SpoolName, socket: Socket): void {
    const file = join(deps.spoolFolder, name);
    const row = store.questions.byHook(hookId);
    // Only the owner of the spool folder can have written the file.
    if (!row || !existsSync(file)) return void socket.destroy();
    rmSync(file, { force: true });
    lost.delete(row.id);
    board.register(hookId, hookId, socket, () => onDisconnected(row.id, hookId));
    if (row.state !== "open") sendAnswer(row);
  }

  /** Sends the answer in the host's format, or nothing: then the dialog in the terminal stays. */
  function sendAnswer(row: QuestionRow): void {
    if (row.hookId === null) return;
    const { input, answer } = book.getExact(row);
    const session = row.sessionId === null ? undefined : store.sessions.byId(row.sessionId);
    const decision =
      row.state === "answered" && row.verdict === "sent" && answer && input
        ? hostFor(session?.host).replies.formatDecision({ ...row, input }, answer)
        : undefined;
    const isSent = board.release(row.hookId, decision ?? "");
    if (isSent) store.questions.markDelivered(row.id, clock());
    else if (row.verdict === "sent" && row.handedAt === null && !lost.has(row.id)) waitForReconnect(row.id);
  }

  function waitForReconnect(id: string, patienceMs = reconnectMs): void {
    lost.set(id, performance.now() + patienceMs);
    care.rouse();
  }

  function onDisconnected(id: string, hookId: string): void {
    if (isStopping) return;
    if (existsSync(locateFile("PermissionDismissed", hookId))) onDismissed(hookId);
    else if (existsSync(locateFile("PermissionAllowed", hookId))) onAllowed(hookId);
    else waitForReconnect(id);
  }

  function locateFile(event: string, hookId: string): string {
    return join(deps.spoolFolder, `${event}.${hookId}`);
  }

  /** The answers to a choice come with the result of its call. */
  function onAllowed(hookId: string): void {
    rmSync(locateFile("PermissionAllowed", hookId), { force: true });
    const row = store.questions.byHook(hookId);
    if (!row) return;
    lost.delete(row.id);
    if (row.state !== "open" || row.kind === "choice") return;
    const answerer = { place: "terminal", by: owner } as const;
    book.close(row.id, { state: "answered", verdict: null, answer: allowOnce, answerer, note: null });
  }

  function onDismissed(hookId: string): void {
    rmSync(locateFile("PermissionDismissed", hookId), { force: true });
    const row = store.questions.byHook(hookId);
    if (!row) return;
    lost.delete(row.id);
    if (row.state !== "open") return recordUndelivered(row, "it was declined in the terminal first");
    book.blockAnswers(row.id);
    const later = setTimeout(() => {
      timers.delete(later);
      if (!endIfOver(row)) close(row, "declined");
    }, graceMs);
    timers.add(later.unref());
  }

  /** Takes an answer back if there was no hook left to receive it. */
  function recordUndelivered(row: QuestionRow, note: string): void {
    if (row.verdict === "sent" && row.handedAt === null) book.recordVerdict(row.id, "overruled", note);
  }

  function endIfOver(row: QuestionBrief, isAlive = isHostAlive(row)): boolean {
    const session = row.sessionId === null ? undefined : store.sessions.byId(row.sessionId);
    const isEnded = session?.status === "ended";
    if (isEnded && session.endReason !== "gone") close(row, "cancelled", "the session ended");
    else if (isEnded || !isAlive) close(row, "cancelled", "the session is gone");
    else return false;
    return true;
  }

  function close(
    row: { id: string },
    state: "declined" | "expired" | "cancelled",
    note: string | null = null,
  ): void {
    book.close(row.id, { state, verdict: null, answer: null, answerer: null, note });
  }

  /** Returns false when no question is open and no hook is missing. */
  function check(): boolean {
    const alive = new Map<number | null, boolean>();
    const open = store.questions.listOpen().filter(({ hookId }) => hookId !== null);
    const expired = listExpired(open);
    for (const row of open) {
      if (!alive.has(row.hostPid)) alive.set(row.hostPid, isHostAlive(row));
      if (expired.has(row.id)) close(row, "expired");
      else endIfOver(row, alive.get(row.hostPid));
    }
    for (const [id, until] of lost) {
      if (until > performance.now()) continue;
      lost.delete(id);
      const row = book.find(id);
      if (row?.state === "open") close(row, "cancelled", "its hook has ended");
      else if (row) recordUndelivered(row, "its hook had ended");
    }
    return open.length + lost.size > 0;
  }

  return {
    openIfNeeded: openSafely,
    attach,
    onDismissed,
    onAllowed,
    count: () => board.count(),
    start() {
      book.onSettled(sendAnswer);
      for (const row of [...store.questions.listOpen(), ...store.questions.listUnconfirmed()]) {
        if (row.hookId === null || row.handedAt !== null) continue;
        waitForReconnect(row.id, comeBackMs);
        if (row.verdict === null && !row.isExact)
          close(
            row,
            "cancelled",
            "Rookery was restarted and has lost the exact input; answer in the terminal",
          );
      }
      care.rouse();
    },
    stop() {
      isStopping = true;
      care.stop();
      for (const later of timers) clearTimeout(later);
    },
  };
}

const allowOnce: Answer = { type: "allow", scope: "once" };

function isHostAlive({ hostPid, pidStarted }: QuestionBrief): boolean {
  return hostPid === null || isSameProcess(hostPid, pidStarted);
}
