import { computed, signal } from "@preact/signals";
import type { QuestionView } from "../../protocol/ask.ts";
import { token } from "./access.ts";
import { call } from "./api.ts";
import { listen } from "./live.ts";
import { throttle } from "./throttle.ts";
import { showError } from "./toasts.ts";

export type Answer = NonNullable<QuestionView["answer"]>;

const limit = signal(100);
const maxQuestions = 1_000;

/** The newest questions; undefined until loaded. */
export const questions = signal<QuestionView[] | undefined>(undefined);
/** The last page was full, so there may be older questions. */
export const hasMore = computed(() => (questions.value?.length ?? 0) >= limit.value);
export const openQuestions = computed(() => questions.value?.filter(({ state }) => state === "open") ?? []);

/** Questions just settled elsewhere. Their cards stay for a moment and show who answered, instead of vanishing while you type. */
const lingering = signal<ReadonlySet<string>>(new Set());
const lingerMs = 8_000;
/** Open questions, and those that were settled elsewhere a moment ago. */
export const cards = computed(
  () => questions.value?.filter(({ id, state }) => state === "open" || lingering.value.has(id)) ?? [],
);

const answeredHere = new Set<string>();

async function load(): Promise<void> {
  if (token.value === null) return;
  questions.value = (await call("GET /api/questions", { query: { limit: limit.value } })).questions;
}

const reload = throttle(() => {
  load().catch(showError);
}, 250);

export function loadMoreQuestions(): void {
  limit.value = Math.min(limit.value * 3, maxQuestions);
  reload();
}

/** Started on every page: the navigation and the tab title count open questions. */
export function startQuestions(): void {
  listen((event) => {
    if (event.type === "question.settled" && !answeredHere.has(event.id) && isShown(event.id))
      linger(event.id);
    if (event.type === "caught-up" || event.type.startsWith("question.")) reload();
  });
  token.subscribe(reload);
}

function isShown(id: string): boolean {
  return openQuestions.value.some((question) => question.id === id);
}

function linger(id: string): void {
  lingering.value = new Set([...lingering.value, id]);
  setTimeout(() => {
    lingering.value = new Set([...lingering.value].filter((other) => other !== id));
  }, lingerMs);
}

export async function answerQuestion(id: string, answer: Answer): Promise<void> {
  answeredHere.add(id);
  try {
    const input = { params: { id }, body: { ...answer, place: "viewer" as const } };
    await call("POST /api/questions/:id/answer", input);
  } catch (error) {
    // It was answered elsewhere first: the card shows by whom.
    answeredHere.delete(id);
    linger(id);
    throw error;
  } finally {
    await load();
  }
}
