import { computed, signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";
import type { QuestionView } from "../../protocol/ask.ts";
import { now } from "./clock.ts";
import { groupAlike, type QuestionGroup } from "./group-alike.ts";
import { cards } from "./questions.ts";

export const kindNames: Record<QuestionView["kind"], string> = {
  choice: "Questions",
  permission: "Permissions",
  plan: "Plans",
};

/** Filters of the inbox; empty shows all. */
export const projectFilter = signal("");
export const kindFilter = signal("");
/** The group that is unfolded, by the id of its first question. It stays in front until it is settled. */
export const expandedId = signal<string | undefined>(undefined);
/** Groups that were in front: they stay unfolded when they are settled, and show their outcome. */
export const earlierExpanded = new Set<string>();

const snoozeKey = "rookery.snoozed";
const snoozeMs = 15 * 60_000;

/** Ends of the snoozes of this tab, by question. A snoozed question stays open everywhere else. */
const snoozed = signal(parseJson(sessionStorage.getItem(snoozeKey) ?? "{}") as Record<string, number>);

const isSnoozed = ({ id }: QuestionView): boolean => (snoozed.value[id] ?? 0) > now.value;
export const snoozedCount = computed(() => cards.value.filter(isSnoozed).length);

export function snooze(questions: readonly QuestionView[]): void {
  const until = Date.now() + snoozeMs;
  saveSnoozed({ ...snoozed.value, ...Object.fromEntries(questions.map(({ id }) => [id, until])) });
}

export function endSnooze(): void {
  saveSnoozed({});
}

function saveSnoozed(next: Record<string, number>): void {
  snoozed.value = Object.fromEntries(Object.entries(next).filter(([, until]) => until > Date.now()));
  sessionStorage.setItem(snoozeKey, JSON.stringify(snoozed.value));
}

export const projects = computed(() => [...new Set(cards.value.map(({ project }) => project))].toSorted());

/** When each question was first seen here. An event may arrive late, so its time does not give a stable order. */
const arrivals = new Map<string, number>();

const inOrderOfArrival = computed(() => {
  for (const { id } of cards.value.toSorted((a, b) => a.createdAt - b.createdAt))
    if (!arrivals.has(id)) arrivals.set(id, arrivals.size);
  return cards.value.toSorted((a, b) => (arrivals.get(a.id) ?? 0) - (arrivals.get(b.id) ?? 0));
});

/** The visible groups, oldest first: a new question is appended and moves nothing above it. */
export const groups = computed<QuestionGroup[]>(() =>
  groupAlike(
    inOrderOfArrival.value.filter(
      (question) =>
        !isSnoozed(question) &&
        (projectFilter.value === "" || question.project === projectFilter.value) &&
        (kindFilter.value === "" || question.kind === kindFilter.value),
    ),
  ),
);
