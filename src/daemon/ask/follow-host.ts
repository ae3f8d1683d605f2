import type { Answer } from "../../domain/ask/question.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { owner } from "../../protocol/ask.ts";
import { parseJson } from "../../shared/json.ts";
import type { EventRow } from "../../store/events.ts";
import type { QuestionRow } from "../../store/questions.ts";
import { wordingOf } from "./host-events.ts";
import type { QuestionBook } from "./question-book.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface FollowHostDeps extends Pick<DaemonContext, "store" | "bus"> {
  book: QuestionBook;
}

/**
 * Determines the outcome of a permission request from the host's own events. An approval given in the terminal is only
 * visible once the tool has run, so a verdict from elsewhere is confirmed or overruled only here. Events posted to the API
 * do not count: any holder of the token could forge them.
 */
export function followHost({ store, bus, book }: FollowHostDeps): () => void {
  return bus.subscribe(({ event }) => {
    if (event.type !== "event.stored" || !relevantEvents.has(event.event) || !book.isPending(event.sessionId))
      return;
    const row = store.events.byId(event.id);
    if (!row || row.via === "api") return;
    for (const question of store.questions.listPending(event.sessionId))
      if (question.hookId !== null) follow(question, row);
  });

  function follow(question: QuestionRow, event: EventRow): void {
    switch (event.event) {
      case "tool.after":
      case "tool.failed": {
        const host = hostFor(store.sessions.byId(event.sessionId)?.host);
        if (isAbout(event, question, host)) onToolEvent(question, event, host);
        return;
      }
      case "session.ended":
        return closeUnanswered(question, "the session ended");
      case "subagent.ended":
        if (question.subagentId !== null && question.subagentId === event.subagentId)
          closeUnanswered(question, "the subagent continued without it");
        return;
      default:
        // An event from before the question proves nothing, and a subagent may continue after its parent has stopped.
        if (question.subagentId !== null || event.occurredAt <= question.createdAt) return;
        if (event.event === "prompt" && !store.turns.isHumanPrompt(event.id)) return;
        closeUnanswered(question, "the session continued without it", event.event);
    }
  }

  function onToolEvent(question: QuestionRow, event: EventRow, host: Host): void {
    const answer = question.kind === "choice" ? readAnswers(question, event, host) : allowOnce;
    if (question.state === "open") {
      const answerer = { place: "terminal", by: owner } as const;
      if (answer) book.close(question.id, { state: "answered", verdict: null, answer, answerer, note: null });
      else closeUnanswered(question, "it was not answered");
      return;
    }
    const { answer: given } = question;
    if (given?.type === "deny") {
      if (event.event === "tool.after")
        book.recordVerdict(question.id, "overruled", `the terminal decided first: ${describe(answer)}`);
      return;
    }
    if (given?.type === "answers" && answer?.type === "answers" && !isSame(given, answer))
      book.recordVerdict(question.id, "overruled", `the terminal answered first: ${describe(answer)}`);
    else book.recordVerdict(question.id, "confirmed");
  }

  /** An interruption counts as a denial. */
  function closeUnanswered(question: QuestionRow, note: string, event?: AgentEvent): void {
    const ending = event === "turn.interrupted" ? declined : ({ state: "cancelled", note } as const);
    if (question.state === "open")
      book.close(question.id, { ...ending, verdict: null, answer: null, answerer: null });
    else if (question.answer?.type === "deny") book.recordVerdict(question.id, "confirmed");
    else book.recordVerdict(question.id, "overruled", "it was declined or interrupted in the terminal");
  }
}

const relevantEvents = new Set<AgentEvent>([
  "tool.after",
  "tool.failed",
  "turn.ended",
  "turn.failed",
  "turn.interrupted",
  "prompt",
  "subagent.ended",
  "session.ended",
]);
const declined = { state: "declined", note: null } as const;
const allowOnce: Answer = { type: "allow", scope: "once" };

function isAbout(event: EventRow, question: QuestionRow, host: Host): boolean {
  if (question.toolUseId !== null) return event.toolUseId === question.toolUseId;
  return event.toolName === question.toolName && wordingOf(event, host) === question.wording;
}

/** The answers that the host recorded, one text for each question. */
function readAnswers(question: QuestionRow, event: EventRow, { requests }: Host): Answer | undefined {
  const { tool_response: response } = parseJson(event.payload) as { tool_response?: unknown };
  const given = requests
    .readAnswers(question.input, response)
    .map(({ answer }) => (answer === null ? [] : [answer]));
  return given.some((chosen) => chosen.length > 0) ? { type: "answers", answers: given } : undefined;
}

function isSame(sent: Answer & { type: "answers" }, seen: Answer & { type: "answers" }): boolean {
  const flat = (answers: string[][]): string => JSON.stringify(answers.map((chosen) => chosen.join(", ")));
  return flat(sent.answers) === flat(seen.answers);
}

function describe(answer: Answer | undefined): string {
  if (answer?.type !== "answers") return "it ran";
  return answer.answers.map((chosen) => chosen.join(", ")).join("; ");
}
