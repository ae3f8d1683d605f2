import type { TurnRecord } from "../turn-record.ts";
import { clip } from "../../../shared/text.ts";
import { isOfMessage } from "./note-title.ts";
import { isRestatement } from "./overlap.ts";
import { pickRemarks } from "./pick.ts";
import type { Scored } from "./scorer.ts";
import { findTurning } from "./title.ts";

/** Other findings of the turn that the narrative does not already contain. */
export function listFurther(
  { further }: { further: readonly Scored[] },
  scored: readonly Scored[],
  narrative: string,
): string[] {
  const told: { text: string }[] = [{ text: narrative }];
  for (const one of further)
    if (!told.some((other) => isRestatement(one, other))) told.push({ text: withReference(scored, one) });
  return told.slice(1).map(({ text }) => text);
}

/**
 * The request that the turn answers: it names the subject if the answer does not. Further remarks of the user follow: a
 * correction or a wish that is no rule belongs to the work it led to.
 */
export function listAsked(turn: TurnRecord, scored: readonly Scored[]): string[] {
  if (turn.isMachine) return [];
  const asked = listRequest(turn);
  const remarks = pickRemarks(scored).filter((one) => !asked.join().includes(one.text));
  return [...asked, ...remarks.map((one) => quoteUser(turn, one))];
}

export function listRequest({ prompt, isMachine }: TurnRecord): string[] {
  const [line = ""] = prompt.split("\n").filter((one) => /\p{L}{2}/u.test(one) && !pastedOpening.test(one));
  const asked = clip(line.replace(/^[#>*\s-]+/, "").trim(), maxAsked);
  const isRequest = asked.split(/\s+/).length >= 4 && !/^[/<[{]/.test(asked);
  return isRequest && !isMachine ? [`Asked: ${asked}`] : [];
}

export function quoteUser({ steps }: TurnRecord, { role, step: at, text }: Scored): string {
  const step = role === "denied" ? steps[at] : undefined;
  const said = clip(text, maxAsked);
  return step?.kind === "denied" && step.what !== ""
    ? `The user refused \`${clip(step.what, maxRefused)}\`: ${said}`
    : `The user said: ${said}`;
}

const maxRefused = 100;

const pastedOpening = /^\s*implement the following plan|^\s*#+\s*(?:context|overview|plan)\s*$/i;
const maxAsked = 300;

/** With the sentence before it, if it begins with "it" or "this". */
export function withReference(scored: readonly Scored[], one: Scored): string {
  const before = refersBack.test(one.text)
    ? scored.find((other) => isOfParagraph(other, one) && other.index === one.index - 1)
    : undefined;
  const isUsable = before && !/[:：?？]$/.test(before.text) && before.text.length <= maxReference;
  return isUsable ? `${before.text} ${withCode(one)}` : withCode(one);
}

const refersBack =
  /^(?:(?:so|and|but|then|also|if|when)[\s,]+)?(?:it|its|this|that|they|these|those|them|both|in that case)\b/i;
const maxReference = 300;

/** With the code that the sentence introduces, and the line above it if that line reverses its meaning. */
export function withCode(one: Scored): string {
  const { text, code, place } = one;
  const above = place === "bullet" ? findTurning(one) : undefined;
  const told = above === undefined ? text : `${above}: ${text}`;
  return code === "" ? told : `${told} \`${clip(code, 300)}\``;
}

export function isOfParagraph(a: Scored, b: Scored): boolean {
  return isOfMessage(a, b) && a.line === b.line && a.place !== "heading";
}
