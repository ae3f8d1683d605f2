import { computed, signal } from "@preact/signals";
import { call, Refused } from "./api.ts";
import { listen } from "./live.ts";
import { throttle } from "./throttle.ts";
import { token } from "./access.ts";

/** What `GET /api/questions` tells of a question, as far as it is shown here. */
export interface Question {
  id: string;
  kind: "choice" | "permission" | "plan";
  state: "open" | "answered" | "declined" | "expired" | "cancelled";
  verdict: "sent" | "confirmed" | "overruled" | null;
  headline: string;
  project: string;
  agent: string;
  session: string | null;
  subagent: string | null;
  context: string | null;
  prompts: {
    text: string;
    header: string | null;
    options: { label: string; description: string | null }[];
    isMulti: boolean;
  }[];
  subject: { toolName: string; format: string; text: string; hiddenSecrets: number } | null;
  sessionRule: string | null;
  earlier: { answer: string; at: number } | null;
  createdAt: number;
  expiresAt: number;
  settledAt: number | null;
  answerer: { place: string; by: string } | null;
  outcome: string | null;
}

export type Answer = { answers: string[][] } | { allow: "once" | "session" } | { deny: string };

/** The newest questions; undefined until known. */
export const questions = signal<Question[] | undefined>(undefined);
/** This daemon does not ask. */
export const isAskingMissing = signal(false);
export const openQuestions = computed(() => questions.value?.filter(({ state }) => state === "open") ?? []);

async function load(): Promise<void> {
  if (token.value === null) return;
  try {
    questions.value = (await call<{ questions: Question[] }>("GET", "/api/questions?limit=200")).questions;
    isAskingMissing.value = false;
  } catch (error) {
    isAskingMissing.value = error instanceof Refused && error.code === "route_not_found";
  }
}

/** Known on every page: an open question is the first thing a person must see. */
export function startQuestions(): void {
  const reload = throttle(() => void load(), 250);
  listen(({ type }) => {
    if (type === "caught-up" || type.startsWith("question.")) reload();
  });
  token.subscribe(reload);
}

export async function answerQuestion(id: string, answer: Answer): Promise<void> {
  try {
    await call("POST", `/api/questions/${encodeURIComponent(id)}/answer`, { ...answer, place: "viewer" });
  } finally {
    // Also where somebody was quicker: then it shows who.
    await load();
  }
}
