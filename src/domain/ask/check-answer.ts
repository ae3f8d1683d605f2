import { stripInvisible } from "../../shared/defuse.ts";
import type { Answer, Prompt, QuestionKind, SessionRule } from "./question.ts";

interface Answerable {
  kind: QuestionKind;
  prompts: readonly Prompt[];
  sessionRule: SessionRule | null;
}

type CheckedAnswer = { fits: true; answer: Answer } | { fits: false; message: string };

const maxAnswer = 20_000;

/** Validates an answer against its question and normalises it. Only an explicit allow is consent. */
export function checkAnswer(question: Answerable, answer: Answer): CheckedAnswer {
  if (answer.type === "deny")
    return { fits: true, answer: { type: "deny", reason: clean(answer.reason).slice(0, maxAnswer) } };
  if (question.kind === "choice")
    return answer.type === "answers"
      ? fitChoice(question.prompts, answer.answers)
      : unfit("This is a question, not a permission: choose an option or answer in your own words.");
  if (answer.type === "answers")
    return unfit("This asks for your consent: allow it or deny it. Text is not accepted as an answer.");
  if (answer.scope === "session" && (question.kind === "plan" || question.sessionRule === null))
    return unfit("This cannot be allowed for the whole session: allow it once, or deny it.");
  return { fits: true, answer };
}

function fitChoice(prompts: readonly Prompt[], given: readonly string[][]): CheckedAnswer {
  if (given.length !== prompts.length)
    return unfit(`Questions: ${prompts.length}, answers: ${given.length}. Answer each question.`);
  const answers: string[][] = [];
  for (const [place, prompt] of prompts.entries()) {
    const chosen = [...new Set((given[place] ?? []).map(clean).filter(Boolean))];
    if (chosen.length === 0) return unfit(`"${prompt.text}" has no answer yet.`);
    if (chosen.length > 1 && !prompt.isMulti) return unfit(`"${prompt.text}" takes one answer.`);
    if (chosen.some((text) => text.length > maxAnswer))
      return unfit(`An answer may have at most ${maxAnswer} characters.`);
    answers.push(chosen);
  }
  return { fits: true, answer: { type: "answers", answers } };
}

function clean(text: string): string {
  return stripInvisible(text).trim();
}

function unfit(message: string): CheckedAnswer {
  return { fits: false, message };
}
