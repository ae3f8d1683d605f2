import { isSameQuestion } from "../../domain/ask/asked-before.ts";
import { checkAnswer } from "../../domain/ask/check-answer.ts";
import { makeCard, makeHeadline } from "../../domain/ask/make-card.ts";
import { describeOutcome, formatAnswer } from "../../domain/ask/outcome.ts";
import type { Answer, Answerer } from "../../domain/ask/question.ts";
import { redactText } from "../../redact/redact-text.ts";
import { makeId } from "../../shared/ids.ts";
import type { NewQuestion, QuestionRow, Settlement } from "../../store/questions.ts";
import { findClaim } from "./find-claim.ts";
import type { Questions } from "./questions.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** The questions, for the components that open and close them. */
export interface QuestionBook extends Questions {
  add(question: Omit<NewQuestion, "id" | "earlier">, input: Record<string, unknown>): QuestionRow;
  /** Closes a question for a reason other than an answer from elsewhere. False if it was no longer open. */
  close(id: string, ending: Omit<Settlement, "at">): boolean;
  /** Records that the host's own events confirmed or overruled a verdict. */
  recordVerdict(id: string, verdict: "confirmed" | "overruled", note?: string): void;
  /** Marks a question that is ending with an unknown outcome: any answer from now on is late. */
  blockAnswers(id: string): void;
  find(id: string): QuestionRow | undefined;
  /** Whether a session's events may affect a question. Called for every event, so it does not read the store. */
  isPending(sessionId: string): boolean;
  /** The exact input and answer; the stored ones may contain placeholders. */
  getExact(row: QuestionRow): { input: Record<string, unknown> | undefined; answer: Answer | null };
  /** Called after the commit, whenever a question leaves `open`. */
  onSettled(listener: (row: QuestionRow) => void): void;
}

type QuestionBookDeps = Pick<DaemonContext, "store" | "bus" | "log" | "clock">;

/** Number of earlier questions that are searched for an answer. */
const maxCompared = 200;
/** Exact texts are kept this long after the end, for a hook that is reconnecting. */
const keepExactMs = 60_000;

export function openQuestionBook({ store, bus, log, clock }: QuestionBookDeps): QuestionBook {
  const listeners: ((row: QuestionRow) => void)[] = [];
  /** In memory only: text that redaction removes is never stored. */
  const inputs = new Map<string, Record<string, unknown>>();
  const answers = new Map<string, Answer>();
  const held = new Set<string>();
  let pending: Set<string | null> | undefined;

  function findEarlier(question: Pick<NewQuestion, "project" | "kind" | "wording">): QuestionRow["earlier"] {
    const before = store.questions
      .listAnswered(question.project, question.kind, maxCompared)
      .find(
        ({ wording, verdict, answer }) =>
          answer !== null &&
          verdict !== "overruled" &&
          isSameQuestion(question.kind, wording, question.wording),
      );
    return before?.answer ? { answer: formatAnswer(before.answer), at: before.settledAt ?? 0 } : null;
  }

  function settle(id: string, settling: Settlement): QuestionRow | undefined {
    if (!store.questions.settle(id, settling)) return undefined;
    held.delete(id);
    pending = undefined;
    setTimeout(() => forget(id), keepExactMs).unref();
    const row = store.questions.byId(id) as QuestionRow;
    log.info("question settled", { id, state: row.state, place: row.place });
    announce(row);
    for (const listener of listeners) listener(row);
    return row;
  }

  function forget(id: string): void {
    inputs.delete(id);
    answers.delete(id);
  }

  function announce(row: QuestionRow): void {
    const { id, state, verdict } = row;
    bus.publish({ type: "question.settled", id, state, verdict, text: describeOutcome(row)?.text ?? "" });
  }

  function answer(id: string, given: Answer, answerer: Answerer): ReturnType<Questions["answer"]> {
    const row = store.questions.byId(id);
    if (!row) return { result: "unknown" };
    if (row.state !== "open") return { result: "late", message: describeOutcome(row)?.text ?? "" };
    if (held.has(id)) return { result: "late", message: "It is being dismissed in the terminal right now." };
    const fit = checkAnswer(row, given);
    if (!fit.fits) return { result: "unfit", message: fit.message };
    answers.set(id, fit.answer);
    const settled = settle(id, {
      state: "answered",
      // A verdict sent through a hook is confirmed by the host's own events.
      verdict: row.hookId === null ? null : "sent",
      answer: redactAnswer(fit.answer),
      answerer,
      note: null,
      at: clock(),
    });
    return settled ? { result: "accepted" } : { result: "late", message: "It was answered a moment ago." };
  }

  return {
    listOpen: () =>
      store.questions
        .listOpen()
        .map(({ id, kind, agent, projectName, sessionId, createdAt, expiresAt, urgency }) => ({
          id,
          kind,
          agent,
          project: projectName,
          sessionId,
          createdAt,
          expiresAt,
          urgency,
        })),
    makeCard(id, ticket) {
      const row = store.questions.byId(id);
      return row && makeCard(row, ticket, findClaim(store, clock, row));
    },
    getOutcome(id) {
      const row = store.questions.byId(id);
      return row && describeOutcome(row);
    },
    getInputHash: (id) => store.questions.byId(id)?.inputHash,
    answer,
    add(question, input) {
      const id = makeId(clock());
      store.questions.insert({ ...question, id, earlier: findEarlier(question) });
      inputs.set(id, input);
      pending = undefined;
      const row = store.questions.byId(id) as QuestionRow;
      const { kind, agent, projectName } = row;
      log.info("question opened", { id, kind, agent, tool: row.toolName });
      bus.publish({
        type: "question.opened",
        id,
        kind,
        agent,
        project: projectName,
        headline: makeHeadline(row),
      });
      return row;
    },
    close: (id, ending) => settle(id, { ...ending, at: clock() }) !== undefined,
    recordVerdict(id, verdict, note) {
      if (!store.questions.recordVerdict(id, verdict, note ?? null)) return;
      pending = undefined;
      const row = store.questions.byId(id) as QuestionRow;
      log.info("verdict followed up", { id, verdict });
      announce(row);
    },
    blockAnswers: (id) => void held.add(id),
    find: (id) => store.questions.byId(id),
    isPending(sessionId) {
      pending ??= new Set(
        [...store.questions.listOpen(), ...store.questions.listUnconfirmed()].map((row) => row.sessionId),
      );
      return pending.has(sessionId);
    },
    getExact: (row) => ({
      input: inputs.get(row.id) ?? (row.isExact ? row.input : undefined),
      answer: answers.get(row.id) ?? row.answer,
    }),
    onSettled: (listener) => void listeners.push(listener),
  };
}

function redactAnswer(answer: Answer): Answer {
  const redact = (text: string): string => redactText(text).text;
  if (answer.type === "deny") return { type: "deny", reason: redact(answer.reason) };
  if (answer.type === "allow") return answer;
  return { type: "answers", answers: answer.answers.map((chosen) => chosen.map(redact)) };
}
