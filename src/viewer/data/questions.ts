import { computed, signal } from "@preact/signals";
import type { QuestionView } from "../../protocol/ask.ts";
import { token } from "./access.ts";
import { call } from "./api.ts";
import { listen } from "./live.ts";
import { throttle } from "./throttle.ts";
import { complain } from "./toasts.ts";

export type Answer = NonNullable<QuestionView["answer"]>;

const limit = signal(100);
const mostAsked = 1_000;

/** The newest questions; undefined until known. */
export const questions = signal<QuestionView[] | undefined>(undefined);
/** There may be more than were asked for. */
export const isMore = computed(() => (questions.value?.length ?? 0) >= limit.value);
export const openQuestions = computed(() => questions.value?.filter(({ state }) => state === "open") ?? []);

/** Settled elsewhere a moment ago: whoever was about to answer sees who was quicker, and loses no card under their hands. */
const lingering = signal<ReadonlySet<string>>(new Set());
const lingerMs = 8_000;
/** What is open, and what was until just now. */
export const cards = computed(
  () => questions.value?.filter(({ id, state }) => state === "open" || lingering.value.has(id)) ?? [],
);

/** Answered from here. */
const own = new Set<string>();

async function load(): Promise<void> {
  if (token.value === null) return;
  questions.value = (await call("GET /api/questions", { query: { limit: limit.value } })).questions;
}

const reload = throttle(() => {
  load().catch(complain);
}, 250);

export function loadMoreQuestions(): void {
  limit.value = Math.min(limit.value * 3, mostAsked);
  reload();
}

/** Known on every page: an open question is the first thing a person must see. */
export function startQuestions(): void {
  listen((event) => {
    if (event.type === "question.settled" && !own.has(event.id) && isShown(event.id)) linger(event.id);
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
  own.add(id);
  try {
    const input = { params: { id }, body: { ...answer, place: "viewer" as const } };
    await call("POST /api/questions/:id/answer", input);
  } catch (error) {
    // Somebody was quicker: the card says who.
    own.delete(id);
    linger(id);
    throw error;
  } finally {
    await load();
  }
}
