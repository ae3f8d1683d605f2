import type { Distilled } from "../turn-record.ts";
import { listConcepts } from "./concepts.ts";
import { clip } from "../../../shared/text.ts";
import { readSentences, type Sentence } from "./sentences.ts";
import { titleAnswer } from "./answers.ts";
import { routine } from "./cues.ts";
import { makeTitle } from "./title.ts";

const yes =
  /^(?:yes|yeah|yep|yup|y|ok(?:ay)?|sure|do it|do that|go ahead|go for it|sounds? good|agreed?|please do|perfect|great|correct|exactly|lgtm|ja|gerne|mach das|sí|si|vale|oui|d'accord|sim|да|давай|好的?|可以|是的?|はい|お願いします|네|예|좋아요?)(?=[\s,.!。！]|$)/iu;
/** "ok, back to main": an agreement in form only, followed by another request. */
const otherRequest =
  /^\w+[,.!]?\s+(?:but|now|and|then|can|could|what|how|why|lets?|let['’]s|switch|go|back|pull|commit|push|check|run)\b(?!\s+(?:do\s+(?:it|that|this)|ahead|for it|with))/i;
const selection =
  /^(?:(?:let'?s )?(?:go with|use|do|pick|choose|option|number|#)\s*)*(?:option\s*)?["'(]?([a-hA-H]|\d{1,2})["').]?(?:\s*(?:please|then|it is))?[.!]?$/i;
/** Requests for a step of this turn, which are not decisions. */
const errand =
  /^(?:to |just |go ahead and |also )*(?:commit|push|merge|open|rebase|run|re-?run|start|begin|continue|proceed|look|check|verify|test|show|explain|walk|write (?:it|the plan|up)|save|clean up|restart|install|deploy|investigate|dig|draft|create (?:an? |the )?(?:pr|pull request|todo|issue|ticket|branch)|more questions|next)\b/i;
const recommendation =
  /\b(?:i(?:'d| would)? (?:recommend|suggest|propose|go with|lean)|my (?:recommendation|suggestion|pick)|recommended|the (?:right|best|cleanest|simplest) (?:fix|approach|option|way)|better to|instead)\b/i;

/** The decision behind a bare "yes" or "b": the agent's proposal. Undefined if there is none. */
export function makeAgreementNote(
  prompt: string,
  previousFinal: string,
  promptEventId: string,
): Distilled | undefined {
  const said = prompt.trim();
  if (said.length > 60 || previousFinal === "") return undefined;
  const sentences = readSentences(previousFinal);
  const chosen = selection.exec(said)?.[1];
  const agreed = chosen
    ? findOption(sentences, previousFinal, chosen)
    : yes.test(said) && !otherRequest.test(said)
      ? findProposal(sentences)
      : undefined;
  if (!agreed || agreed.text.length < 20) return undefined;
  const question = sentences.findLast(({ text }) => /[?？]$/.test(text));
  const narrative = clip(
    [
      chosen && question ? `Asked: ${question.text}` : "",
      `The agent proposed: ${agreed.text}`,
      `The user answered: ${said.replace(/[.!]+$/, "")}.`,
    ]
      .filter(Boolean)
      .join(" "),
    1_000,
  );
  const title = makeTitle({ ...agreed, text: stripLabel(agreed.text) });
  return makeDecision(
    chosen && question ? titleAnswer(question.text, title) : title,
    narrative,
    promptEventId,
  );
}

/**
 * The option with this letter or number. Sentences no longer contain their markers, so these are read from the raw
 * text.
 */
function findOption(sentences: readonly Sentence[], text: string, chosen: string): Sentence | undefined {
  const mark = new RegExp(
    `^\\s*(?:[-*+]\\s*)?(?:#{1,6}\\s*)?\\*{0,2}(?:option\\s*)?\\(?${chosen}(?:[.):]|\\*\\*)`,
    "i",
  );
  const line = text.split("\n").findLastIndex((one) => mark.test(one));
  if (line < 0) return undefined;
  const option = sentences.find((one) => one.line === line);
  return option && !errand.test(option.text) && !routine.test(option.text) ? option : undefined;
}

/** A recommendation in a message that asks for consent. */
function findProposal(sentences: readonly Sentence[]): Sentence | undefined {
  const asks = sentences.slice(-4).some(({ text }) => /[?？]$/.test(text));
  if (!asks) return undefined;
  const proposal = sentences.findLast(
    ({ text, place }) =>
      place !== "heading" &&
      recommendation.test(text) &&
      !/[?？:：]$/.test(text) &&
      !numberedChoice.test(text),
  );
  return proposal && isSpecific(proposal.text.replace(/^.{0,40}?(?:recommend|suggest|propose)\w*/i, ""))
    ? proposal
    : undefined;
}

/** "Option 2" means nothing without the list. */
const numberedChoice = /\b(?:option|approach|variant|choice) #?(?:\d|[a-h]\b)/i;

/** Whether the offer names its subject: "do this too" is meaningless later. */
function isSpecific(offer: string): boolean {
  return (
    !/\b(?:this|these|those|one|both|same|the code|instead)\b|^\W*(?:that|it|them)\b/i.test(offer) &&
    offer.split(/\s+/).length >= 5
  );
}

function stripLabel(text: string): string {
  return text.replace(/^(?:option\s*)?\(?[a-h\d]{1,2}[.):]\s*/i, "").replace(/\s*\(recommended\)/i, "");
}

function makeDecision(title: string, narrative: string, promptEventId: string): Distilled {
  return {
    type: "decision",
    title,
    narrative,
    facts: [],
    concepts: listConcepts(narrative),
    filesRead: [],
    filesModified: [],
    sourceEvents: [promptEventId],
    provenance: "answer",
  };
}
