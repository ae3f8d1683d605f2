import { batch, computed, signal } from "@preact/signals";
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
/** All open questions, including those older than the page above. */
export const openQuestions = signal<QuestionView[]>([]);

/** Questions just settled. Their cards stay for a moment and show the outcome, instead of vanishing while you type. */
const lingering = signal<ReadonlySet<string>>(new Set());
const lingerMs = 8_000;
/** Settled questions that are older than the loaded page are read one by one, up to this number. */
const maxSingleReads = 20;
const settled = signal<QuestionView[]>([]);
/** Open questions, and those that were settled a moment ago. */
export const cards = computed(() => [
  ...openQuestions.value,
  ...settled.value.filter(({ id }) => lingering.value.has(id)),
]);

let latestLoad = 0;

async function load(): Promise<void> {
  if (token.value === null) return;
  latestLoad += 1;
  const mine = latestLoad;
  const [open, newest] = await Promise.all([
    call("GET /api/questions", { query: { state: "open", limit: maxQuestions } }),
    call("GET /api/questions", { query: { limit: limit.value } }),
  ]);
  const known = new Map([...newest.questions, ...open.questions].map((question) => [question.id, question]));
  const missing = [...lingering.value].filter((id) => !known.has(id)).slice(0, maxSingleReads);
  const alone = await Promise.all(missing.map((id) => call("GET /api/questions/:id", { params: { id } })));
  // A slow answer must not replace a newer one: it would hide a question that has arrived since.
  if (mine !== latestLoad) return;
  batch(() => {
    openQuestions.value = open.questions;
    questions.value = newest.questions;
    settled.value = [...known.values(), ...alone].filter(({ state }) => state !== "open");
  });
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
    if (event.type === "question.settled" && isShown(event.id)) keepShownBriefly(event.id);
    if (event.type === "reconnected" || event.type.startsWith("question.")) reload();
  });
  token.subscribe(reload);
}

function isShown(id: string): boolean {
  return cards.value.some((question) => question.id === id);
}

const lingerTimers = new Map<string, number>();

/** Restarts when the agent continues, so that there is time to read that too. */
function keepShownBriefly(id: string): void {
  lingering.value = new Set([...lingering.value, id]);
  clearTimeout(lingerTimers.get(id));
  const end = (): void => {
    lingerTimers.delete(id);
    lingering.value = new Set([...lingering.value].filter((other) => other !== id));
  };
  lingerTimers.set(id, setTimeout(end, lingerMs));
}

/** Gives the same answer to each question. All cards stay, including those of questions that were answered elsewhere first. */
export async function answerQuestions(ids: readonly string[], answer: Answer): Promise<void> {
  for (const id of ids) keepShownBriefly(id);
  const body = { ...answer, place: "viewer" as const };
  try {
    for (const id of ids) await call("POST /api/questions/:id/answer", { params: { id }, body });
  } finally {
    await load();
  }
}
