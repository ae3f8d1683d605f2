import { createHash } from "node:crypto";
import type { Answer, Answerer } from "../../src/domain/ask/question.ts";
import { openQuestionBook, type QuestionBook } from "../../src/daemon/ask/question-book.ts";
import type { Bus } from "../../src/daemon/runtime/bus.ts";
import type { Clock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { Store } from "../../src/store/open-store.ts";
import type { NewQuestion } from "../../src/store/questions.ts";
import { makeCard, makePermission } from "../conformance/channel-contract.ts";

/** The question book with helpers for asking. */
export interface AskedQuestions extends QuestionBook {
  /** Asks for permission to run the command; without a command, asks a choice between databases. */
  ask(id: string, fields?: Partial<Pick<NewQuestion, "sessionId" | "urgency">> & { command?: string }): void;
  /** Ends the question as the host does, with a reason. */
  settle(id: string, why: string): void;
  /** Changes the input of the question under the same id; the changed question must never be approved. */
  change(id: string): void;
  answered(id: string): { answer: Answer | null; answerer: Answerer } | undefined;
  cardsMade(): number;
}

export function openAskedQuestions(store: Store, bus: Bus, clock: Clock): AskedQuestions {
  const book = openQuestionBook({ store, bus, log: silentLog, clock });
  let cardsMade = 0;
  return {
    ...book,
    makeCard(id, ticket) {
      cardsMade += 1;
      return book.makeCard(id, ticket);
    },
    ask(id, { command, ...fields } = {}) {
      const { kind, context, prompts, subject, sessionRule } =
        command === undefined ? makeCard() : makePermission(command);
      store.questions.insert({
        id,
        kind,
        hookId: `hook-${id}`,
        context,
        prompts,
        subject,
        sessionRule,
        earlier: null,
        project: "/api",
        projectName: "api",
        agentId: null,
        agent: "api-rook",
        sessionId: "s-1",
        subagentId: null,
        subagent: null,
        hostPid: null,
        pidStarted: null,
        toolUseId: null,
        toolName: subject?.toolName ?? null,
        input: {},
        isExact: true,
        wording: command ?? id,
        inputHash: createHash("sha256")
          .update(command ?? id)
          .digest("hex"),
        urgency: "normal",
        createdAt: clock(),
        expiresAt: clock() + 3_600_000,
        ...fields,
      });
      bus.publish({ type: "question.opened", id, kind, agent: "api-rook", project: "api", headline: "" });
    },
    settle: (id, why) =>
      void book.close(id, {
        state: "cancelled",
        verdict: null,
        answer: null,
        answerer: null,
        note: why,
      }),
    change: (id) => void store.db.run("UPDATE questions SET input_hash = 'another' WHERE id = ?", id),
    answered(id) {
      const row = book.find(id);
      return row?.place
        ? { answer: row.answer, answerer: { place: row.place, by: row.answeredBy ?? "" } }
        : undefined;
    },
    cardsMade: () => cardsMade,
  };
}
