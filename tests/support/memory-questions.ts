import { createHash } from "node:crypto";
import type { Card, Outcome } from "../../src/domain/ask/card.ts";
import type { Answer, Answerer } from "../../src/domain/ask/question.ts";
import type { OpenQuestion, Questions } from "../../src/daemon/ask/questions.ts";
import { makeCard, makePermission } from "../conformance/channel-contract.ts";

interface Asked {
  question: OpenQuestion;
  card: Card;
  input: string;
  outcome?: Outcome;
  answered?: { answer: Answer; answerer: Answerer };
}

export interface MemoryQuestions extends Questions {
  ask(id: string, fields?: Partial<OpenQuestion> & { command?: string }): void;
  /** Ends or corrects it, as the terminal does. */
  settle(id: string, text: string): void;
  /** What is asked becomes something else under the same id: must never happen, and must never be approved. */
  change(id: string, command: string): void;
  answered(id: string): Asked["answered"];
  cardsMade(): number;
}

/** Questions in a list. `announce` is what the bus would say: called after every change. */
export function makeMemoryQuestions(
  announce: (type: "question.opened" | "question.settled", questionId: string) => void = () => {},
): MemoryQuestions {
  const asked = new Map<string, Asked>();
  let cardsMade = 0;
  const find = (id: string): Asked => {
    const found = asked.get(id);
    if (!found) throw new Error(`there is no question ${id}`);
    return found;
  };
  const fits = (kind: string, answer: Answer): boolean => (kind === "choice") === (answer.type === "answers");

  return {
    open: () => [...asked.values()].filter(({ outcome }) => !outcome).map(({ question }) => question),
    card(id, ticket) {
      cardsMade += 1;
      const found = asked.get(id);
      return found && { ...found.card, questionId: id, ticket };
    },
    outcome: (id) => asked.get(id)?.outcome,
    inputHash(id) {
      const found = asked.get(id);
      return found && createHash("sha256").update(found.input).digest("hex");
    },
    answer(id, answer, answerer) {
      const found = asked.get(id);
      if (!found) return { result: "unknown" };
      if (found.outcome) return { result: "late", say: found.outcome.text };
      if (!fits(found.question.kind, answer)) return { result: "unfit", say: "Not an answer to this." };
      found.answered = { answer, answerer };
      found.outcome = { state: "answered", text: `${answerer.by} answered on ${answerer.place}` };
      announce("question.settled", id);
      return { result: "accepted" };
    },
    ask(id, { command, ...fields } = {}) {
      const kind = fields.kind ?? (command === undefined ? "choice" : "permission");
      const question: OpenQuestion = {
        ...{ id, kind, agent: "api-rook", project: "api", sessionId: "s-1", createdAt: Date.now() },
        ...{ expiresAt: Date.now() + 3_600_000, urgency: "normal" },
        ...fields,
      };
      const card = command === undefined ? makeCard() : makePermission(command);
      asked.set(id, { question, card: { ...card, kind }, input: command ?? id });
      announce("question.opened", id);
    },
    settle(id, text) {
      find(id).outcome = { state: "answered", text };
      announce("question.settled", id);
    },
    change(id, command) {
      find(id).input = command;
    },
    answered: (id) => asked.get(id)?.answered,
    cardsMade: () => cardsMade,
  };
}
