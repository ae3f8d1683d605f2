import type { TurnRecord } from "../turn-record.ts";
import type { Scored } from "./scorer.ts";
import { capitalise, shortenTitle, stripOpening } from "./title.ts";

/** Maximum number of open ends of a turn, in the order of the text. */
const maxOpen = 4;
const maxLength = 220;

/**
 * Unfinished work that a turn names: in the agent's last message, or as a to-do that the user had written down. Offers,
 * questions and reports of finished work do not count.
 */
export function findOpenEnds(turn: TurnRecord, scored: readonly Scored[]): string[] {
  const final = scored.filter(({ role }) => role === "final");
  const said = final.flatMap((one, at) => describeOpen(one, final[at - 1], final[at + 1]) ?? []);
  const found = [...listRecorded(turn, final), ...said].map((text) => text.replaceAll(" · ", ", "));
  return [...new Set(found)].slice(0, maxOpen);
}

/** An offer of help. The part of a statement before it may still name unfinished work. */
const offer =
  /(?:^|\s*(?:[—–;,(]|\s-)\s*)(?:do you |would you (?:like|rather|prefer)|want me to|shall i|should i|let me know|if you(?:['’]d)? (?:want|like|prefer|need)|i can (?:also )?|i['’]d be happy|ready (?:to|for|when)|whenever you|say (?:the )?word|your call|go ahead)\b.*$/i;

/** Says that a thing is not done, not verified or not decided. */
const explicit = new RegExp(
  [
    String.raw`\bleft (?:it |them |this |that )?(?:open|as[- ]is|unfixed|undone|unresolved|unanswered|for (?:later|a (?:later|future|follow)))\b`,
    String.raw`\b(?:flagged|noted|reported|listed),? (?:but )?not (?:fixed|applied|addressed|changed|done)\b`,
    String.raw`\((?:still )?(?:un(?:fixed|resolved|done|tested|verified)|not (?:yet )?(?:fixed|done|started|tested|verified|implemented))\)`,
    String.raw`\b(?:is|are|was|were|been|stays?|remains?) deferred\b|\bdeferred (?:to|until|from|for)\b`,
    String.raw`\b(?:isn['’]t|aren['’]t|wasn['’]t|weren['’]t|not) [^.;,]{0,40}\byet\b`,
    String.raw`\b(?:ha(?:s|ve)(?:n['’]t| not)|did(?:n['’]t| not)|w(?:as|ere)(?:n['’]t| not)) (?:yet )?(?:been )?(?:written|add(?:ed)?|done|run|test(?:ed)?|verif(?:y|ied)|fix(?:ed)?|migrated|wired|implement(?:ed)?|covered|tried|try|scheduled|exercised?|documented|deployed)\b`,
    String.raw`\bstill (?:needs?|has to|have to|to be|to do|missing|open|fails?|failing|throws|stubbed|broken|pending|unanswered|unresolved|untested)\b`,
    String.raw`\bneeds? (?:an? )?(?:own |separate |design |product |manual )?(?:decision|follow-?up|submission|verification)\b`,
    String.raw`\b(?:that['’]s|is|are|as|for|in) an? (?:separate|future|later|follow-?up) (?:design )?(?:decision|task|issue|pr|change|phase|ticket|step)\b`,
    String.raw`\b(?:for|as|in) (?:a )?follow-?up\b|\bneeds? (?:a|the same) (?:follow-?up|swap|change)\b`,
    String.raw`\b(?:are|is) (?:for you to|left for|stubbed)\b|\bon your (?:plate|side)\b|\byou should still\b`,
    String.raw`\b(?:remember|don['’]t forget) to\b`,
    String.raw`\byou(?:['’]ll| will)? (?:still )?need (?:to |an? )|\bone-time manual\b|\bhas to be done (?:manually|by hand)\b`,
    String.raw`\bwon['’]t take effect until\b|\b(?:needed|required|has to happen) before the (?:first|next)\b`,
    String.raw`\bneeds? your (?:explicit )?(?:go-ahead|approval|ok|okay|sign-?off|nod|decision)\b`,
    String.raw`\bstaged(?:,| but| and) (?:un|not (?:yet )?|awaiting )commit|\bawaiting commit\b`,
    String.raw`\bthe (?:single|only|one) (?:fix|issue|thing|finding|item) (?:\w+ )?(?:to track|left|that remains)\b`,
    String.raw`\bwe should (?:add|fix|test|cover|handle|remove)\b`,
    String.raw`^(?:still (?:open|to do|missing|pending)|not (?:yet )?(?:done|started|addressed|implemented|covered|fixed|included|migrated|planned)(?: yet)?|left (?:for later|open|to do|undone)|to ?do|open|tomorrow|follow-?ups?|deferred|next)\s*[:：—–]`,
    String.raw`^(?:phase|task|step|part|milestone|stage) [\d.]+ (?:is |comes )?next\b|\bnext (?:step|up)\b[^.]{0,30}:`,
    "(?:まだ|未対応|未実装|残って)|아직|noch (?:offen|nicht)|steht (?:noch )?aus|pendiente|falta |reste à|n['’]est pas encore|ainda não|осталось|ещё не|待办|尚未|还没",
  ].join("|"),
  "iu",
);

/** Headings and introductions of lists of unfinished work. */
const openHeading =
  /^(?:what(?:['’]s| is) (?:left|next|missing|open)|(?:still )?(?:open|remaining|left)\b|loose ends?|next(?: steps?| up)?\b|to ?do\b|follow-?ups?\b|deferred|skipped\b|noted for later|not (?:done|fixed|addressed|covered|included|tested|yet)|❌|known (?:gaps|issues)|(?:required|remaining|manual) (?:setup|steps?))/iu;

/** Reports of finished work, of nothing left, of waiting, and of things that are as they should be. */
const finished =
  /^(?:fixed|added|updated|removed|moved|renamed|documented|committed|pushed|merged|replied|done)\b|\b(?:no|nothing|none|zero|0) (?:[\w-]+ ){0,4}(?:remain(?:s|ing)?|left|needed|required|missing|changes?)\b|\bno (?:open|remaining|pending|unresolved|new|further|other|additional|more)\b|\b(?:as (?:agreed|designed|intended|instructed|you asked)|by design|intentional(?:ly)?|correct to omit|not (?:a|an) (?:issue|problem|bug)|unrelated|not caused by|false positive|gitignored|untracked|unstaged|on purpose)\b|\b(?:waiting (?:on|for)|wait (?:a |for)|give it a (?:minute|moment)|still running|restart|reload|refresh|rebuild|re-?run|log ?in again|try again)\b|^(?:if|when|once you|unless|not yet \w+:)(?=\W)|^\/[\w:-]+|\bto filter\b|\b(?:is|are) (?:fine|ok(?:ay)?|reasonable|correct|acceptable|expected|appropriate)\b|\b(?:suggest|recommend|propos|my (?:lean|take|pick))\w*\b|\bpushed\b/i;
/** An idea that is not planned. */
const idea =
  /\b(?:could|might|may want|would (?:require|be)|optional(?:ly)?|nice to have|long-term|worth)\b/i;
const dangling = /^(?:this|that|it|these|those|they|both|status:)(?=[\s:'’])/i;
/** A status in brackets after a heading. */
const openStatus =
  /\((?:[^()]*\b(?:awaiting|not (?:yet|done|started|fixed)|unfixed|pending|deferred|to ?do)\b[^()]*)\)$/i;

/** The open end that a statement names, in words that can be understood alone. */
function describeOpen(
  one: Scored,
  before: Scored | undefined,
  after: Scored | undefined,
): string | undefined {
  if (one.place === "heading") return openStatus.test(one.text) ? one.text : undefined;
  const text = stripOpening(one.text).replace(offer, "").trim();
  if (one.place === "quote" || text.length < 15 || /[?？]|[:：]$/.test(text)) return undefined;
  if (finished.test(text)) return undefined;
  const isListed =
    (one.place === "bullet" || before?.place === "heading") &&
    [one.heading, one.lead].some((title) => openHeading.test(title.replace(/^[^\p{L}❌]+/u, "")));
  if (!explicit.test(withoutAsides(text)) && !(isListed && !idea.test(text))) return undefined;
  const isBare = isListed && one.place === "paragraph" && text.length < 50 && after?.line === one.line;
  const whole = isBare ? `${text} ${after.text}` : addSubject(text, one, before);
  return shortenTitle(capitalise(whole), maxLength).replace(/[.。]$/u, "");
}

/** Without quotations, and without brackets other than a status: "(not fixed)". */
function withoutAsides(text: string): string {
  return text
    .replace(/"[^"]*"|“[^”]*”/g, "")
    .replace(/\([^()]*\)/g, (part) => (/^\((?:still )?(?:un|not )/i.test(part) ? part : ""));
}

/** A statement that begins with "this" or "it" needs its heading, its introduction or the statement before it. */
function addSubject(text: string, { heading, lead, place }: Scored, before: Scored | undefined): string {
  if (!dangling.test(text)) return text;
  const said = text.replace(/^status: /i, "");
  const name = [lead.replace(/[:：]$/u, ""), heading].find(
    (title) => title.length >= 8 && title.length <= 70 && !openHeading.test(title),
  );
  if (name !== undefined) return `${name}: ${said}`;
  if (!before || place !== before.place || before.place === "heading") return text;
  return `${shortenTitle(stripOpening(before.text), maxLength - text.length - 2).replace(/[.。:]$/u, "")}. ${text}`;
}

const recordRequest =
  /\b(?:add|log|create|file|make|write|open|raise)\b[^.?!\n]{0,40}?\b(?:todo|to-do|issue|ticket|card)s?\b\s*(?:(?:for|to|about|regarding|on|that) (.+))?/iu;
const recordCommand = /^\/\S*add-?todo\s+(.+)/iu;
const vague = /^(?:this|that|it|these|those|them|the same|me|us|both)\b/i;
/** The name of a to-do file or of an issue in the address of its page. */
const slug =
  /\/(?:todos?|issues?)\/(?:[\w.-]+\/)*?(?:\d{4}-\d\d-\d\d-)?([a-z0-9]+(?:-[a-z0-9]+){2,})(?:\.md)?(?=[\s`)\]"']|$)/giu;

/** A longer prompt mentions issues rather than asking for one. */
const maxRequest = 600;

/** To-dos that the user had written down in this turn, by the name of the file or issue, else in the user's words. */
function listRecorded({ prompt, isMachine, final, outcome }: TurnRecord, said: readonly Scored[]): string[] {
  if (isMachine || outcome !== "completed") return [];
  const command = recordCommand.exec(prompt.trim())?.[1];
  const request = prompt.length <= maxRequest ? recordRequest.exec(prompt) : undefined;
  if (command === undefined && !request) return [];
  const names = [...new Set([...final.matchAll(slug)].map(([, name = ""]) => name.replaceAll("-", " ")))];
  if (names.length > 0) return names.map((name) => `To do: ${name}`);
  const [subject = ""] = (command ?? request?.[1] ?? "").split(
    /[.?!\n](?:\s|$)|,? (?:and|then|but|via|so that) /u,
  );
  if (subject.length >= 12 && subject.length <= 120 && !vague.test(subject) && !/[<>#()]/.test(subject))
    return [`To do: ${subject.trim()}`];
  const [told] = said.flatMap(({ text }) => aboutRecord.exec(text)?.[1] ?? []);
  return told === undefined ? [] : [`To do: ${shortenTitle(told, maxLength)}`];
}

/** "The todo documents the full bug: …" */
const aboutRecord =
  /^(?:the|this) (?:todo|issue|ticket) (?:\w+ )?(?:documents|includes|covers|describes|captures|says)\s+(.{30,})/iu;
