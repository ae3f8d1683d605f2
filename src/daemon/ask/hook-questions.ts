import { existsSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Answer } from "../../domain/ask/question.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { owner } from "../../protocol/ask.ts";
import type { SpoolName } from "../../protocol/spool-name.ts";
import type { QuestionBrief, QuestionRow } from "../../store/questions.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isSameProcess } from "../../shared/processes.ts";
import { repeatWhile } from "../runtime/repeat.ts";
import type { StoredRequest } from "../capture/intake.ts";
import type { WaitingBoard } from "../capture/waiting-board.ts";
import { makeExpiryCheck } from "./expiry.ts";
import { type DialogLinks, openDialogLinks, type OpenedDialog } from "./dialog-links.ts";
import { draftFromDialog, draftFromHook } from "./draft-question.ts";
import type { QuestionBook } from "./question-book.ts";
import { hasLiveDialog } from "./terminals.ts";
import type { DaemonContext } from "../runtime/context.ts";

/**
 * Questions of hosts: opened by a permission request, answered through its hook and closed with it; or the same with the
 * dialog in the terminal, where the host lets us answer it.
 */
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
  /** Connects to the dialogs of running turns. */
  start(): void;
  stop(): void;
}

interface HookQuestionsDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  book: QuestionBook;
  board: WaitingBoard<string>;
  spoolFolder: string;
  canReach(): boolean;
  isAway(): boolean;
  waitSeconds: number;
  subagentSeconds: number;
}

/** A hook that lost its daemon reconnects every second or two. */
const reconnectAfterRestartMs = 10_000;
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
  const dialogs: DialogLinks = openDialogLinks(deps, {
    onOpened: onDialogOpened,
    onClosed: onDialogClosed,
    onTurnEnded,
    onLost(hookId) {
      const row = store.questions.byHook(hookId);
      if (row?.state === "open") waitForReconnect(row.id);
    },
  });
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
    if (subagentId === null && dialogs.covers(session, request.prepared.toolName)) return false;
    if (!mayWait(session, subagentId)) return false;
    const known = store.questions.byHook(request.hookId);
    if (known) return known.state === "open";
    const drafted = draftFromHook(store, request);
    if (!drafted || !takesAnswer(session, drafted.question.kind)) return false;
    waitForReconnect(addQuestion(drafted).id);
    return true;
  }

  function addQuestion({ question, input }: NonNullable<ReturnType<typeof draftFromHook>>): QuestionRow {
    const { waitSeconds } = deps;
    const seconds = question.subagentId === null ? waitSeconds : Math.min(deps.subagentSeconds, waitSeconds);
    return book.add({ ...question, expiresAt: clock() + seconds * 1000 }, input);
  }

  /** A dialog is reported again when the daemon has restarted. */
  function onDialogOpened(opened: OpenedDialog): void {
    if (store.projects.isOff(opened.session.project)) return;
    const known = store.questions.byHook(opened.hookId);
    if (known) {
      lost.delete(known.id);
      if (known.state !== "open") sendAnswer(known);
      return;
    }
    const drafted = draftFromDialog(store, { ...opened, occurredAt: clock() });
    if (!drafted) return;
    addQuestion(drafted);
    care.rouse();
  }

  /** Its turn continues at once if the dialog was answered; otherwise the turn ends within a moment. */
  function onDialogClosed(hookId: string): void {
    const row = store.questions.byHook(hookId);
    if (row?.state !== "open") return;
    book.blockAnswers(row.id);
    runLater(() => onAllowed(hookId));
  }

  /** If it was allowed, its tool has run. An interruption counts as a denial. */
  function onTurnEnded(hookId: string, isInterrupted: boolean): void {
    const row = store.questions.byHook(hookId);
    if (row?.state === "open" && isInterrupted) close(row, "declined");
    else if (row?.state === "open") onAllowed(hookId);
  }

  function runLater(act: () => void): void {
    const later = setTimeout(() => {
      timers.delete(later);
      act();
    }, graceMs);
    timers.add(later.unref());
  }

  /** A hook that delays the dialog in the terminal waits only while the person is away. */
  function mayWait(session: SessionRow, subagentId: string | null): boolean {
    const { dialog } = hostFor(session.host).requests;
    if (dialog === "event") return true;
    if (dialog !== "beside") return dialog === "before" && deps.isAway() && deps.canReach();
    return deps.canReach() || hasLiveDialog(session, subagentId);
  }

  /** An answer that the hook cannot pass on would be lost: such a question stays in the terminal. */
  function takesAnswer({ host }: SessionRow, kind: QuestionRow["kind"]): boolean {
    return kind === "permission" || hostFor(host).requests.answersQuestions;
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
    const hasAnswer = row.state === "answered" && row.verdict === "sent" && answer && input;
    const question = { ...row, input: input ?? {} };
    const decision = hasAnswer ? hostFor(session?.host).replies.formatDecision(question, answer) : undefined;
    const isSent =
      board.release(row.hookId, decision ?? "") ||
      Boolean(hasAnswer && dialogs.answer(row.hookId, question, answer));
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
    runLater(() => {
      if (!endIfOver(row)) close(row, "declined");
    });
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
      // A session whose hook still waits has not ended, whatever was posted about it.
      else if (lost.has(row.id) || !alive.get(row.hostPid)) endIfOver(row, alive.get(row.hostPid));
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
        waitForReconnect(row.id, reconnectAfterRestartMs);
        if (row.verdict === null && !row.isExact)
          close(
            row,
            "cancelled",
            "Rookery was restarted and has lost the exact input; answer in the terminal",
          );
      }
      care.rouse();
      dialogs.start();
    },
    stop() {
      isStopping = true;
      dialogs.stop();
      care.stop();
      for (const later of timers) clearTimeout(later);
    },
  };
}

const allowOnce: Answer = { type: "allow", scope: "once" };

function isHostAlive({ hostPid, pidStarted }: QuestionBrief): boolean {
  return hostPid === null || isSameProcess(hostPid, pidStarted);
}
