import { formatAnswer } from "../../domain/ask/outcome.ts";
import { distilAnswers } from "../../domain/memory/distil/answers.ts";
import { owner } from "../../protocol/ask.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { QuestionRow } from "../../store/questions.ts";
import type { Bus } from "../runtime/bus.ts";
import { makeFileNames } from "../memory/file-names.ts";
import { announceNotes, keepNote } from "../memory/keep-note.ts";

/**
 * Keeps the person's answer as a note that outlives the session. Answers given to a hook are not handled here: they are
 * part of the events of its session.
 */
export function rememberAnswer(
  { store, bus, clock }: { store: Store; bus: Bus; clock: Clock },
  row: QuestionRow,
): void {
  const [prompt] = row.prompts;
  if (!row.answer || !prompt) return;
  const eventId = row.id;
  const [note] = distilAnswers(
    [
      row.answer.type === "deny"
        ? { kind: "denied", tool: "to answer", what: prompt.text, reason: row.answer.reason, eventId }
        : {
            kind: "answer",
            question: prompt.text,
            answer: formatAnswer(row.answer),
            options: prompt.options.map(({ label }) => label),
            eventId,
          },
    ],
    // Other paired people are named; the person at this machine is called the user.
    row.answeredBy === null || row.answeredBy === owner ? undefined : row.answeredBy,
  );
  if (!note) return;
  const project = store.projects.byPath(row.project);
  if (!project || project.mode === "off") return;
  const { sessionId } = row;
  const place = {
    projectId: project.id,
    files: makeFileNames(project.path, null),
    turnId: null,
    promptNumber: null,
  };
  const kept = store.db.transaction(() =>
    keepNote(store, { note, place: { ...place, sessionId, at: clock() } }),
  );
  if (kept.isNew) announceNotes(bus, [kept.note]);
}
