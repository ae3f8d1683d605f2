import type { Distilled } from "../turn-record.ts";
import { clip } from "../../../shared/text.ts";
import { readSentences, type Sentence } from "./sentences.ts";
import { makeUserNote, titleAnswer } from "./answers.ts";
import { routine } from "./cues.ts";
import { isOffer } from "./summary.ts";
import { capitalise, makeTitle, maxWhole, shortenTitle } from "./title.ts";

const yes =
  /^(?:yes|yeah|yep|yup|y|ok(?:ay)?|sure|do it|do that|go ahead|go for it|sounds? good|agreed?|please do|perfect|great|correct|exactly|lgtm|ja|gerne|mach das|sí|si|vale|oui|d'accord|sim|да|давай|好的?|可以|是的?|はい|お願いします|네|예|좋아요?)(?=[\s,.!。！]|$)/iu;
/** "ok, back to main": an agreement in form only, followed by another request. */
const otherRequest =
  /^\w+[,.!]?\s+(?:but|now|and|then|can|could|what|how|why|lets?|let['’]s|switch|go|back|pull|commit|push|check|run)\b(?!\s+(?:do\s+(?:it|that|this)|ahead|for it|with))/i;
const selection =
  /^(?:(?:ok(?:ay)?|yes|yeah|sure|alright|great|please|so|(?:can|could) (?:you|we)|let'?s|i(?:'d| would)?|just|go with|go for|use|do|pick|choose|take|prefer|option|number|#)[\s,]*)*["'(]?([a-hA-H]|\d{1,2})["').]?(?:\s*(?:please|then|first|it is))?[.!]?$/i;
/** Requests for a step of this turn, which are not decisions. */
const errand =
  /^(?:to |just |go ahead and |also )*(?:commit|push|merge|open|rebase|run|re-?run|start|begin|continue|proceed|look|check|verify|test|show|explain|walk|write (?:it|the plan|up)|save|clean up|restart|install|deploy|investigate|dig|draft|create (?:an? |the )?(?:pr|pull request|todo|issue|ticket|branch)|more questions|next)\b/i;
const recommendation =
  /\b(?:i(?:'d| would)? (?:recommend|suggest|propose|go with|lean)|my (?:recommendation|suggestion|pick)|recommended|the (?:right|best|cleanest|simplest) (?:fix|approach|option|way)|better to|instead)\b/i;

/** "2, but without the cache": a choice with a remark. A letter needs a mark after it: "a" is also a word. */
const remarked =
  /^(?:(?:ok(?:ay)?|yes|let'?s|i(?:'d| would)?|we|go with|pick|choose|prefer|take|do|like|think|definitely|option|number|#)[\s,]*)*["'(]?(?:(\d)["')]?(?=[\s.,:;)]|$)|([a-hA-H])[.,:)])/i;
/** "1. yes 2. skip that one": remarks on several options, one a line. */
const remarkLine = /^\s*\(?([1-9])[.):,]\s+(.{2,})$/;
const rejects = /\b(?:skip|no|not|don'?t|never|drop|weakest|worst|reject|against|without|rather not)\b/i;
const verdict = /\b(?:yes|yeah|yep|no|skip|ok(?:ay)?|agreed?|let['’]?s|sure|drop|keep|fine|good)\b/i;
const maxRemark = 1_000;

/** The user's part in a conversation about options, and what the agent made of it. */
interface Reply {
  prompt: string;
  /** The agent's last message before the prompt. */
  previousFinal: string;
  /** The beginning of the agent's reply to the prompt. */
  reply: string;
  promptEventId: string;
}

/** The decision behind "yes", "b" or a remark on the agent's options. Undefined if there is none. */
export function makeAgreementNote({
  prompt,
  previousFinal,
  reply,
  promptEventId,
}: Reply): Distilled | undefined {
  const said = prompt.trim();
  if (said === "" || said.length > maxRemark || previousFinal === "") return undefined;
  const note =
    makeShortAgreement(said, previousFinal, promptEventId) ??
    makeChoice(said, previousFinal, promptEventId) ??
    makeEcho(said, previousFinal, reply, promptEventId);
  return note && { ...note, facts: listFindings(previousFinal, note.narrative) };
}

/** A choice with a remark, or remarks on several options. */
function makeChoice(said: string, previousFinal: string, promptEventId: string): Distilled | undefined {
  const sentences = readSentences(previousFinal);
  const question = findQuestion(sentences);
  if (question === undefined) return undefined;
  const remarks = said.split("\n").flatMap((line) => {
    const [, number = "", text = ""] = remarkLine.exec(line) ?? [];
    const option = number === "" ? undefined : findOption(sentences, previousFinal, number);
    return option && !/[?？]/.test(option.text) ? [{ option, text, isRejected: rejects.test(text) }] : [];
  });
  // Answers to several questions may have the same numbers as options.
  if (remarks.some(({ text }) => /[?？]\s*$/.test(text))) return undefined;
  if (remarks.length > 1) {
    if (remarks.filter(({ text }) => verdict.test(text)).length * 2 < remarks.length) return undefined;
    const chosen = remarks.filter(({ isRejected }) => !isRejected);
    const names = [
      ...chosen.map(({ option }) => nameOption(option)),
      ...remarks.filter(({ isRejected }) => isRejected).map(({ option }) => `not ${nameOption(option)}`),
    ];
    const answers = remarks.map(({ option, text }) => `${stripLabel(option.text)}: ${text}`);
    return makeUserNote(
      "decision",
      titleChoice(question, names.join(", ")),
      clip(`Asked: ${question} The user answered: ${answers.join(" / ")}`, maxNarrative),
      promptEventId,
    );
  }
  const [, number, letter] = remarked.exec(said) ?? [];
  const option = number || letter ? findOption(sentences, previousFinal, number ?? letter ?? "") : undefined;
  if (!option || /[?？]/.test(option.text) || rejects.test(said.slice(0, rejectReach))) return undefined;
  return makeUserNote(
    "decision",
    titleChoice(question, nameOption(option, roomBeside(question))),
    clip(`Asked: ${question} The agent proposed: ${option.text} The user answered: ${said}`, maxNarrative),
    promptEventId,
  );
}

/** A question such as "Which one?" adds nothing to an answer that names its subject. */
function titleChoice(question: string, answer: string): string {
  return generic.test(question) && answer.split(/\s+/).length >= minAnswer
    ? shortenTitle(capitalise(answer))
    : titleAnswer(question, answer);
}

const generic =
  /^(?:which (?:one|approach|option|fits|of these|do you|would you)|what(?:['’]s your| do you think| would you)|any (?:preferences?|thoughts)|thoughts|does (?:that|this)|is (?:that|this)|do you (?:prefer|want|like)|how does (?:that|this))\b/i;
const minAnswer = 5;

function roomBeside(question: string): number {
  return maxWhole - question.length - " → ".length;
}

const rejectReach = 20;
const maxNarrative = 1_000;

/** "Got it - the importer first, the exporter later": the agent states what the user decided. */
const acknowledges =
  /^(?:got it|understood|makes sense|agreed|that makes sense|sounds good|good call|good idea|yes, that['’]?s a good [\w -]{3,30}|that['’]?s a good (?:idea|approach|plan)|right|ok(?:ay)?|perfect|great)\s*(?:[-–—:,.!]|(?=:$))\s*(?:so )?/i;
const nextAct =
  /^(?:let me|i['’]?ll|i will|i['’]?m|now|here|one|just|the next|next|what|how|looking|checking|going|starting|thanks|good|nice|great|done|noted)\b/i;

function makeEcho(
  said: string,
  previousFinal: string,
  reply: string,
  promptEventId: string,
): Distilled | undefined {
  const asked = readSentences(previousFinal);
  const question = findQuestion(asked);
  if (!question) return undefined;
  const sentences = readSentences(reply.slice(0, maxReply));
  const [first] = sentences;
  if (!first || first.place === "heading" || !acknowledges.test(first.text)) return undefined;
  const rest = first.text.replace(acknowledges, "");
  const options = previousFinal.split("\n").filter((line) => optionLine.test(line));
  if (options.length < 2 && !settles.test(rest)) return undefined;
  const isList = /[:：]$/.test(first.text) || rest.length < minEcho;
  const items = isList
    ? sentences
        .slice(1)
        .filter(
          ({ place, lead }) =>
            place === "bullet" && lead === sentences.find((one) => one.place === "bullet")?.lead,
        )
    : [];
  const paragraph = sentences.filter(({ line, text }) => line === first.line && !/[?？]$/.test(text));
  const statement = isList ? items.map(({ text }) => text.replace(/\s*\([^)]*\)/g, "")).join("; ") : rest;
  if (
    statement.length < minEcho ||
    nextAct.test(statement) ||
    /[?？]$/.test(statement) ||
    items.length > maxItems ||
    // Alternatives are not yet a decision.
    items.some(({ text }) => /^or\b/i.test(text)) ||
    !(isList ? namesPlan.test(first.text) : resolves.test(statement))
  )
    return undefined;
  return makeUserNote(
    "decision",
    titleChoice(question, makeTitle({ ...first, text: statement, code: "" })),
    clip(
      `Asked: ${question} The user answered: ${said} The agent confirmed: ${[...paragraph, ...items].map(({ text }) => text).join(" ")}`,
      maxNarrative,
    ),
    promptEventId,
  );
}

const optionLine = /^\s*(?:[-*+]\s*)?\*{0,2}(?:option\s*)?\(?(?:\d|[a-hA-H])[.):]/i;
/** Says what will be done, as opposed to a comment on the idea. */
const resolves =
  /^(?:add|allow|ask|avoid|block|build|cache|call|collect|combine|copy|create|cut|defer|disable|drop|enable|extend|extract|focus|go with|handle|hide|ignore|implement|include|integrate|keep|leave|let|limit|load|log|make|merge|move|offload|only|pass|pin|prefer|print|read|rebuild|reject|release|remove|rename|replace|require|restrict|return|reuse|run|save|scope|send|separate|set|ship|show|skip|slot|sort|split|start|stay|stick|store|support|switch|treat|use|validate|wait|warn|wire|wrap|write)\b|\b(?:instead of|rather than)\b|\bit is\W*$/i;
/** Names the choice on its own, also where the options are no list: "`fetch-mock` it is". */
const settles = /\bit is\W*$/i;
/** Introduces the list of what was decided, as opposed to a list of remarks. */
const namesPlan = /\b(?:approach|idea|plan|split|compromise|design)\b/i;
const maxReply = 1_200;
const minEcho = 20;
const maxItems = 5;

/** The question that the options answer; an offer of the next step is none. */
function findQuestion(sentences: readonly Sentence[]): string | undefined {
  const texts = sentences.map(({ text }) => text.replace(questionLabel, ""));
  const at = texts.findLastIndex(
    (text) =>
      /[?？]$/.test(text) &&
      !routine.test(text) &&
      (asksForMore.test(text) || !isOffer(text.replace(/[?？]$/, ""))) &&
      !optionMark.test(text),
  );
  const question = texts[at];
  if (question === undefined) return undefined;
  const isShort = question.split(/\s+/).length < minQuestion;
  const lead = isShort || generic.test(question) ? findLead(sentences) : undefined;
  if (lead !== undefined || !isShort) return lead ?? question;
  const before = sentences[at - 1];
  return before &&
    before.place === "paragraph" &&
    !/[:：]$|^(?:i|let|we)\b/i.test(before.text) &&
    before.text.length <= maxBefore &&
    !isOffer(before.text)
    ? `${before.text} ${question}`
    : question;
}

/** "For a summary that already exists:" above the options names their subject; the question may be only "Thoughts?". */
function findLead(sentences: readonly Sentence[]): string | undefined {
  const option = sentences.findLast(({ text }) => optionMark.test(text));
  const lead = (option?.lead || option?.heading || "").replace(questionLabel, "").replace(/\s*[:：]$/, "");
  const names = lead.split(/\s+/).length >= minLead && !introduces.test(lead) && !generic.test(lead);
  return names ? capitalise(lead) : undefined;
}

/** "What types of files do you want?" is no offer. */
const asksForMore = /^(?:what|which|how|where|when|who|why)\b/i;
const questionLabel =
  /^(?:next question|(?:last|one more|final) question|question(?: \d+)?(?: of ~?\d+)?)\s*[:—–-]\s*/i;
const minLead = 4;
const introduces =
  /\b(?:here|options?|following|these|those|this|that|it)\b|^(?:do you|would you|should (?:i|we)|i (?:see|can|could|have|need)|we (?:can|could|have|need)|you (?:can|could|have)|there (?:are|is)|a few|a couple|two|three|four|some|several|possible|pros|cons|trade-?offs?|because|so)\b/i;

const optionMark = /^\(?(?:[a-hA-H]|\d)[.):]/;
/** A question with fewer words does not name its subject. */
const minQuestion = 6;
const maxBefore = 80;

/** The option whole if it fits beside the question, otherwise its words before the explanation. */
function nameOption({ text }: Sentence, room = 0): string {
  const bare = stripLabel(text).replace(/[.:\s]+$/, "");
  const [name = bare] = bare.split(/\s+[-–—]\s+|:\s+/);
  return bare.length <= room || name.length < minName ? bare : name;
}

const minName = 8;

/** The findings of the message with the question: the background of the answer. */
function listFindings(message: string, narrative: string): string[] {
  return readSentences(message)
    .filter(
      ({ place, text }) =>
        place === "paragraph" &&
        !/[:：?？]$/.test(text) &&
        /`|\d|[a-z][A-Z]|\w_\w/.test(text) &&
        text.split(/\s+/).length >= minFinding &&
        !narrative.includes(text),
    )
    .slice(0, maxFindings)
    .map(({ text }) => text);
}

const minFinding = 8;
const maxFindings = 3;

/** The decision behind a bare "yes" or "b": the agent's proposal. */
function makeShortAgreement(
  said: string,
  previousFinal: string,
  promptEventId: string,
): Distilled | undefined {
  if (said.length > 60) return undefined;
  const sentences = readSentences(previousFinal);
  const chosen = selection.exec(said)?.[1];
  const agreed = chosen
    ? findOption(sentences, previousFinal, chosen)
    : yes.test(said) && !otherRequest.test(said)
      ? findProposal(sentences)
      : undefined;
  if (!agreed || agreed.text.length < 20) return undefined;
  const question = findQuestion(sentences);
  const narrative = clip(
    [
      chosen && question ? `Asked: ${question}` : "",
      `The agent proposed: ${agreed.text}`,
      `The user answered: ${said.replace(/[.!]+$/, "")}.`,
    ]
      .filter(Boolean)
      .join(" "),
    maxNarrative,
  );
  const title = makeTitle({ ...agreed, text: stripLabel(agreed.text).replace(proposes, "") });
  return makeUserNote(
    "decision",
    chosen && question ? titleChoice(question, nameOption(agreed, roomBeside(question))) : title,
    narrative,
    promptEventId,
  );
}

/** Says that it is a proposal, which was accepted. */
const proposes =
  /^i(?:['’]d| would) (?:recommend|suggest|propose) (?:that (?:we |you )?|to )?(?!against)(?=\w)/i;

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
