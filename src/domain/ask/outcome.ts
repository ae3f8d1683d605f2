import { owner } from "../../protocol/ask.ts";
import type { Outcome } from "./card.ts";
import type { Answer, Answerer, QuestionKind, QuestionState, SessionRule, Verdict } from "./question.ts";
import { formatRule } from "./format-rule.ts";

export interface SettledQuestion {
  kind: QuestionKind;
  state: QuestionState;
  verdict: Verdict | null;
  answer: Answer | null;
  place: Answerer["place"] | null;
  answeredBy: string | null;
  /** Why it ended, or what happened instead, phrased as the end of a sentence. */
  note: string | null;
  sessionRule: SessionRule | null;
}

const placeNames: Record<Answerer["place"], string> = {
  terminal: "the terminal",
  viewer: "the viewer",
  cli: "the command line",
  slack: "Slack",
  matrix: "Matrix",
  telegram: "Telegram",
  discord: "Discord",
  ntfy: "ntfy",
  webhook: "the webhook",
};

/** The outcome of a question, for every place where it was shown; undefined while it is open. */
export function describeOutcome(question: SettledQuestion): Outcome | undefined {
  const { state, note } = question;
  if (state === "open") return undefined;
  if (state === "answered") return { state, text: describeAnswered(question) };
  if (state === "declined") return { state, text: "Declined in the terminal." };
  const why = note ? `: ${note}` : "";
  return { state, text: `${state === "expired" ? "No answer in time" : "No longer asked"}${why}.` };
}

function describeAnswered(question: SettledQuestion): string {
  const { answer, place, answeredBy, verdict, note } = question;
  const isNamed = place !== "terminal" && answeredBy && answeredBy !== owner;
  const who = isNamed ? `by ${answeredBy}${place ? ` (${placeNames[place]})` : ""}` : describePlace(place);
  const said = answer ? formatDecision(answer, who, question) : `Answered ${who}.`;
  if (verdict !== "overruled") return said;
  return `${said.replace(/[.\s]*$/, ".")} But ${note ?? "the terminal decided otherwise"}.`;
}

function describePlace(place: Answerer["place"] | null): string {
  if (!place) return "in another place";
  const preposition = { cli: "on", webhook: "through" }[place as string] ?? "in";
  return `${preposition} ${placeNames[place]}`;
}

function formatDecision(
  answer: Answer,
  who: string,
  { kind, place, sessionRule: rule }: SettledQuestion,
): string {
  if (answer.type === "answers") return `Answered ${who}: ${formatAnswer(answer)}`;
  if (answer.type === "deny") return `Denied ${who}${answer.reason ? `: ${answer.reason}` : "."}`;
  if (kind === "plan") return `Approved ${who}.`;
  // The host does not report whether an approval in the terminal was for once or for longer.
  if (place === "terminal") return `Allowed ${who}.`;
  if (answer.scope === "once") return `Allowed once ${who}.`;
  return `Allowed for the session ${who}${rule ? `: ${formatRule(rule)}` : "."}`;
}

/** A short form of an answer, shown when the same question comes up again. */
export function formatAnswer(answer: Answer): string {
  if (answer.type === "answers") return answer.answers.map((chosen) => chosen.join(", ")).join("; ");
  if (answer.type === "deny") return answer.reason ? `Denied: ${answer.reason}` : "Denied";
  return answer.scope === "once" ? "Allowed once" : "Allowed for the session";
}
