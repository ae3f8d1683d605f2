import type { QuestionView } from "../../protocol/ask.ts";
import { revealInvisible } from "./format.ts";

type Answer = NonNullable<QuestionView["answer"]>;

/** A notification about a question. */
interface QuestionNotice {
  title: string;
  body: string;
  /** At most two: browsers show no more. */
  buttons: { title: string; answer: Answer }[];
}

const maxButtons = 2;
const maxLabel = 40;
/** A longer text may be cut off, and you must see all that you allow. */
const maxSubject = 120;

/** `canAnswer`: this tab may decide. A permission gets buttons only if the notification shows all of a harmless command. */
export function makeNotice(question: QuestionView, canAnswer: boolean): QuestionNotice {
  const { title, agent, project, subject } = question;
  const show = (text: string, max: number): string => revealInvisible(text.slice(0, max).toWellFormed());
  const about = `${agent} (${project})`;
  return {
    title: show(title, 200),
    body: show(subject ? `${about}\n${subject.text}` : about, 400),
    buttons: canAnswer
      ? listButtons(question).map((button) => ({ ...button, title: show(button.title, maxLabel) }))
      : [],
  };
}

function listButtons({ kind, prompts, subject, danger, claimedBy }: QuestionView): QuestionNotice["buttons"] {
  if (kind === "choice") {
    const [prompt, ...more] = prompts;
    const labels = prompt?.options.map(({ label }) => label) ?? [];
    const isSimple = more.length === 0 && prompt?.isMulti === false && labels.length <= maxButtons;
    if (!isSimple || labels.some((label) => label.length > maxLabel)) return [];
    return labels.map((label) => ({ title: label, answer: { answers: [[label]] } }));
  }
  const isWhole =
    subject?.format === "command" &&
    subject.hiddenSecrets === 0 &&
    subject.text.length <= maxSubject &&
    !subject.text.includes("\n") &&
    revealInvisible(subject.text) === subject.text;
  if (kind !== "permission" || !isWhole || danger !== null || claimedBy !== null) return [];
  return [
    { title: "Allow once", answer: { allow: "once" } },
    { title: "Deny", answer: { deny: "" } },
  ];
}
