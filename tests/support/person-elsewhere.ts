import type { QuestionView } from "../../src/protocol/ask.ts";
import { waitFor } from "./processes.ts";
import type { Rookery } from "./rookery.ts";

export type Said = { answers: string[][] } | { allow: "once" | "session" } | { deny: string };

/** Somewhere a person answers from that is not the terminal: every scenario of asking runs from each of them. */
export interface Elsewhere {
  name: string;
  /** As outcomes name it. */
  who: string;
  answer(rookery: Rookery, question: QuestionView, said: Said): Promise<void>;
}

export const throughTheApi: Elsewhere = {
  name: "the API",
  who: "by the user (the viewer)",
  async answer(rookery, { id }, said) {
    const { status, text } = await rookery.call("POST", `/api/questions/${id}/answer`, said);
    if (status !== 200) throw new Error(`not taken: ${status} ${text}`);
  },
};

export async function listQuestions(rookery: Rookery): Promise<QuestionView[]> {
  return (await rookery.call("GET", "/api/questions?limit=1000")).json.questions.toReversed();
}

/** The open questions, oldest first, once there are so many. */
export async function openQuestions(rookery: Rookery, count = 1): Promise<QuestionView[]> {
  let last: QuestionView[] = [];
  const isOpen = async () => {
    last = await listQuestions(rookery).catch(() => []);
    return last.filter(({ state }) => state === "open").length === count;
  };
  const describe = () => `${count} open questions, not ${JSON.stringify(last, null, 1)}`;
  await waitFor(isOpen, { timeoutMs: 15_000, describe });
  return last.filter(({ state }) => state === "open");
}

export async function openQuestion(rookery: Rookery): Promise<QuestionView> {
  return (await openQuestions(rookery, 1))[0] as QuestionView;
}

/** The question once it has ended as described. */
export async function waitForOutcome(
  rookery: Rookery,
  id: string,
  wanted: Partial<QuestionView>,
  timeoutMs = 10_000,
): Promise<QuestionView> {
  let last: QuestionView | undefined;
  const isThere = async () => {
    last = (await rookery.call("GET", `/api/questions/${id}`).catch(() => undefined))?.json;
    return (
      last && Object.entries(wanted).every(([key, value]) => last?.[key as keyof QuestionView] === value)
    );
  };
  const describe = () => `${JSON.stringify(wanted)}, not ${JSON.stringify(last)}`;
  await waitFor(isThere, { timeoutMs, describe });
  return last as QuestionView;
}
