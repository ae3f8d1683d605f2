import { describeOutcome } from "../../domain/ask/outcome.ts";
import { makeHeadline } from "../../domain/ask/make-card.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { QuestionRow } from "../../store/questions.ts";
import type { Bus } from "../runtime/bus.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";

/** Upper bound of the questions that a killed daemon can have left unindexed. */
const maxMissed = 50;

/** Indexes questions and answers for search, and updates them when a verdict is corrected. */
export function indexAnswers(store: Store, bus: Bus, clock: Clock): void {
  store.db.transaction(() => {
    for (const question of store.questions.recent("answered", maxMissed))
      if (!store.index.has("question", question.id)) put(question);
  });
  bus.subscribe(({ event }) => {
    if (event.type !== "question.settled") return;
    const question = store.questions.byId(event.id);
    if (question?.state === "answered") store.db.transaction(() => put(question));
  });

  function put(question: QuestionRow): void {
    const project = findOrCreateProject(store, question.project, clock());
    if (project.mode === "off") return;
    const { id, sessionId, kind, context, prompts, subject, createdAt } = question;
    const asked = prompts.map(({ text }) => text).join(" ");
    const options = prompts.flatMap((prompt) => prompt.options.map(({ label }) => label));
    const outcome = describeOutcome(question)?.text ?? "";
    store.index.put({
      kind: "question",
      ref: id,
      projectId: project.id,
      sessionId,
      type: kind,
      createdAt,
      title: asked || makeHeadline(question),
      body: [outcome, context, subject?.text, options.join(", ")].filter(Boolean).join("\n"),
      files: [],
    });
  }
}
