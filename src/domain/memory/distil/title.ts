import { joinFitting } from "../../../shared/text.ts";
import type { Sentence } from "./sentences.ts";

/**
 * A title has at most 90 characters, or up to 120 if that keeps a statement complete: a truncated statement is not
 * informative.
 */
export const maxTitle = 90;
export const maxWhole = 120;
/** The same if it could only be cut within a clause. */
export const maxUncut = 150;

/** Words of agreement and filler before the statement. "No" is not one of them: it may be the statement. */
const opening =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|great|good|perfect|right|sure|exactly|correct|interesting|thanks?|done|fixed|agreed|confirmed|got it|found it|makes sense|hm+|well|btw|fwiw|note|important|q|in short|in summary|bottom line|tl;?dr|conclusion|net|basically|actually|also|additionally|plus|so|and|but|then|however|meanwhile|finally|lastly|first|second|third|worth (?:noting|flagging|knowing)|you'?re (?:absolutely )?right|good (?:point|catch|call)|fair point|summary|(?:task|issue|fix|step) #?\d+(?:\s*\([^)]*\))?|(?:the )?problem|alright|main bug fix|clear|verified|(?:one|two) (?:thing|catch|caveat)s?|unfortunately|interestingly|regardless|(?:based on|per|according to|as per) (?:the|our|your) (?:\w+ ){0,2}(?:results?|docs?|documentation|logs?|conventions?|workflow|plan))(?:\s*[,.:!;]|\s+[—–-])\s*)+/i;
/** Phrases that announce the statement: "The root cause is that …", "The fix addresses the real problem: …". */
const announcement =
  /^(?:(?:the|one|a|my|our)\s+)?(?:(?:most )?likely|real|actual|true|root|core|main|key|underlying|short|original|remaining|good|bad|simplest|cleanest|easiest|safest|best|concrete)?\s*(?:root )?(?:cause|issue|problem|bug|reason|culprit|fix|solution|answer|insight|finding|takeaway|point|catch|caveat|gotcha|result|conclusion|news)(?:\s+(?:here|now|confirmed|found|identified))?(?:(?:\s+(?:is|was)\s+(?:that\s+)(?=\S{2}))|(?:\s+(?:is|was) (?:clear|simple|confirmed)|\s+(?:addresses|targets|handles) the [\w\s-]{3,40})?\s*[:—–]\s+)/i;
/** "Yes and do not wrap lines": consent before a rule of its own. */
const consent = /^(?:yes|yeah|yep|ok(?:ay)?|sure|alright)\s+(?=(?:and|but|also|so|then)\s)/i;
const connective = /^(?:so|and|but|also|then|thus|plus|now) (?!that\b)(?=\S)/i;
const bullet =
  /^(?:\d{1,2}: (?:(?:high|medium|low|critical)[:,] )?|[^\p{L}\p{N}`"'“([{<$@/.~-]+|\(?\d{1,2}[.)]\s+|[A-H][.)]\s+)+/u;
const dangling = /^(?:this|that|it|these|those|they|both|the (?:same|former|latter|above|following))\b/i;
/** A bullet whose subject is the heading above: "Falls back to the cache". */
export const subjectless =
  /^(?:(?:now |also |only )?(?:falls|passes|reads|writes|returns|validates|generates|checks|runs|sets|stores|handles|shows|keeps|calls|sends|skips|supports|resolves|matches|requires|needs|uses|adds|accepts|creates|builds|lets|prevents|avoids|makes|points|takes|works|ends)\b|same\b)/i;

/** Removes parts that a shorter title can omit, most dispensable first. No removal may change the meaning. */
const dispensable: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(/^`?[\w./@-]+\.\w{1,5}`?(?::\d+(?:[-–]\d+)?)?\s*(?:\([^)]*\))?\s*[—–:-]\s+(?=\S)/, ""),
  (text) => text.replace(/(`?[\w./-]+\.\w{1,5}):\d+(?:[-–]\d+)?(`?)/g, "$1$2"),
  (text) => outsideCode(text, (part) => part.replace(/\s+(?:at|on|around|near) lines? [\d,–—-]+/gi, "")),
  (text) => text.replace(/`(?:[\w.@~-]*\/)+([\w.@-]+\/[\w.@-]+\.\w+)`/g, "`$1`"),
  (text) => dropBrackets(text),
  (text) => text.replace(/\s+(?:at|in) `[\w./-]+\.\w{1,5}`(?=[ ,.;—–]|$)(?!,? (?:and|or)\b|, `)/g, ""),
  (text) =>
    text.replace(
      /^(?:the (?:issue|problem|bug|catch|point|key (?:insight|point)|reason) (?:is|was)(?: that)?|it turns out(?: that)?|this means(?: that)?|i(?:'ve| have)? (?:found|noticed|see|confirmed)(?: that)?|note that|(?:the )?root cause(?! of)(?::|(?: is| was):?(?: that\b|:))|i(?:'ve| have) (?:successfully |now )?|(?:one|two) (?:more )?(?:real )?(?:side )?(?:things?|notes?|bugs?)[^:]{0,40}:)[\s:,—–-]*/i,
      "",
    ),
];

function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, n) => (n % 2 === 0 ? change(part) : part))
    .join("");
}

/** Removes parentheses outside code with their content, unless they restrict the statement: "(not on Windows)". */
function dropBrackets(text: string): string {
  const codes: string[] = [];
  const masked = text.replace(/`[^`]*`/g, (code) => `⟦${codes.push(code) - 1}⟧`);
  return masked
    .replace(/\s*\([^()]{3,}\)/g, (part) => (restricts(part) ? part : ""))
    .replace(/,\s*(?=,)/g, "")
    .replace(/⟦(\d+)⟧/g, (_mark, at) => codes[Number(at)] ?? "");
}

/**
 * Marks at which a long statement can be cut and still be complete: a separate clause follows. Conditions ("when …",
 * "for …", "via …") are no such marks: without them a statement says something else.
 */
const clauseMark =
  / [—–] |; |\. |, (?:so|which|because|since|as|where|then|with|while|plus|and|e\.g\.) |, (?!during|noth|anyth|everyth|someth|str|depend|exclud|accord|lack|miss|fail)[a-z]{3,}ing | because | so that /gi;
/** Phrases that say where, or what for, after a noun: the rest of the statement holds without them. */
const phraseMark =
  /(?<=(?:`|\)|\b(?:the|an?|its|their|your|our|this|each|every|all)(?: [\w/-]+){1,3})) (?:from|into|across|through|inside|within|alongside|at the (?:start|end|top|bottom) of) | (?<!\b(?:need|needs|needed|want|wants|try|tries|trying|has|have|had|able|unable|going|used|order|supposed|how|is|was|are|were|not|never|only|fails?|failed|attempts?|allowed|forced|required) )to (?:avoid|prevent|ensure|keep|make sure|allow|let|reduce|support|handle|match|reflect|show|indicate|include|account for) /gi;
/** The same before an explanation. It may be negated: the statement holds without it. */
const explanation = /^(?: [—–] |; |, (?:so|which|because|since|as) )/i;
/** A subordinate clause needs its main clause: no cut before or at its end. */
const subordinate =
  /^(?:when|if|after|before|because|since|while|once|until|unless|although|though|for|by|with|without|as|in|on)\b[^,]*(?:,|$)\s*/i;
/** A part with one of these words is never removed: that could reverse the meaning. */
const negation =
  /(?<![\p{L}\p{N}])(?:no|not|never|none|nor|neither|nothing|without|except|unless|only|instead|rather|cannot|but|however|although|until|nicht|kein\p{L}{0,2}|nie(?:mals)?|ohne|außer|sondern|statt|aber|nur|no|nunca|jamás|sin|excepto|salvo|pero|ni|solo|sólo|ne|pas|jamais|sans|sauf|mais|aucune?|au lieu|não|nunca|sem|exceto|mas|apenas|не|нет|никогда|ни|без|кроме|но|только|вместо)(?![\p{L}\p{N}])|n['’]t(?![\p{L}])|不|没|沒|无|無|非|未|别|禁|ない|なし|せず|ません|以外|안|않|없|못|말고|제외/iu;
/** Words that need an object: a cut must not leave one at the end. */
const unfinished =
  /(?:\b(?:a|an|the|to|of|that|is|are|was|were|be|been|not|no|and|or|but|than|its|their|your|our|this|these|every|each|include|includes|instead|back|only|even|just|whether|how|what|if|does|do|did|has|have|had|can|could|will|would|should|must|may|might|n't)|[,:;(])$/i;

/** "It did not fail because …" without its reason says the opposite. */
const denial = /\b(?:not|never|no|cannot)\b|n['’]t\b/i;

/** Whether a removed part begins with a restriction: without it, the rest would say too much or the opposite. */
function restricts(part: string): boolean {
  return negation.test(part.slice(0, restrictionReach));
}

const restrictionReach = 24;

/** Whether a removed clause begins with a restriction: "— not on Windows", "; do not restart it". */
function beginsRestricted(part: string): boolean {
  return negation.test(part.split(/[\s,;—–]+/, 3).join(" "));
}

/** Bookkeeping at the end of a statement: "…, committed as `1a2b3c4`, all tests green". */
const bookkeeping =
  /(?:\s*[,;(]|\s+[—–-])\s*(?:(?:now |and )?(?:amended|committed|pushed|merged|landed|rebased)\b(?! (?:to|by|when|if|only))|all (?:\d+ )?(?:tests?|suites?|checks?)\b|(?:full |the )?(?:test )?suites? (?:is |are )?green\b|(?:tests?|lint|build|ci) (?:is |are |all )?(?:pass|green|clean)).{0,120}$/i;

/** Makes a title that can be understood outside its turn; `shortenTitle` limits its length. */
export function makeTitle(
  sentence: Pick<Sentence, "text" | "heading" | "lead" | "code">,
  uncut = maxUncut,
): string {
  const { text, heading, lead, code } = sentence;
  let title = stripOpening(text);
  if (/[:：]$/.test(title)) {
    const [line = ""] = code.split("\n").filter((one) => one.trim() && !/^\s*(?:#|\/\/)/.test(one));
    const command = ` \`${line.trim()}\``;
    title = line && title.length + command.length <= maxWhole ? title + command : title.slice(0, -1);
  }
  const told = title.replace(bookkeeping, "");
  if (told.length >= minTold && !restricts(title.slice(told.length))) title = told;
  title = title.replace(/[.。…\s]+$/u, "");
  const above = findTurning(sentence);
  const context = dangling.test(title) || subjectless.test(title) ? contextOf(heading, lead) : "";
  if (above !== undefined) title = `${above}: ${title}`;
  else if (context && context.length + title.length + 2 <= maxTitle + 30) title = `${context}: ${title}`;
  return shortenTitle(capitalise(title), maxTitle, uncut);
}

/** Minimum length of a statement without its bookkeeping. */
const minTold = 25;

export function stripOpening(text: string): string {
  const bare = text.replace(bullet, "").trim();
  const rest = bare
    .replace(opening, "")
    .replace(consent, "")
    .replace(connective, "")
    .replace(announcement, "")
    .trim();
  return rest.length >= 25 || (rest.length >= 12 && !announcement.test(bare)) ? rest : bare;
}

/** "Removed", "Not changed", "Filed for later": without such a line above it, an item says the opposite. */
export function findTurning({
  text,
  heading,
  lead,
}: Pick<Sentence, "text" | "heading" | "lead">): string | undefined {
  const above = [lead, heading].map((line) => line.replace(/\s*[:：]$/, ""));
  return above.find((line) => line.length <= maxTurning && turning.test(line) && !saysSo.test(text));
}

const maxTurning = 50;
const turning =
  /^(?:(?:also|fully|things|what (?:i|we)|files?) )*(?:removed?|deleted?|dropped|rejected|skipped|excluded|ignored|reverted|unchanged|discarded|retired|filed|deferred|postponed|parked|proposed|suggested|considered|alternatives?|known (?:issues?|limitations?|gaps?)|follow-?ups?|to-?dos?|remaining|still (?:open|missing|to do)|open (?:questions?|items?|points?|issues?)|optional|future|cons\b|downsides?|risks?)\b|\b(?:not|never|without|no longer|out of scope|didn['’]t|won['’]t|don['’]t)\b/i;
const saysSo =
  /\b(?:remov|delet|drop|reject|skip|exclud|ignor|revert|discard|retir|defer|postpon|propos|suggest|consider|remain)\w*\b|\b(?:later|follow-?up|todo|could|should|would|might|missing|risks?)\b|\b(?:unchanged|not|never|no longer)\b|n['’]t\b/i;

/** A heading names the subject of a sentence that begins with "it"; headings such as "Summary" name no subject. */
function contextOf(heading: string, lead: string): string {
  const generic =
    /^(?:summary|changes?|what|how|why|notes?|overview|results?|files?|fix|fixes|done|next|details?|verification|status|here|problem|solution|the|key|design|\d)/i;
  return (
    [lead.replace(/[:：]$/, ""), heading].find(
      (name) => name.length >= 4 && name.length <= 50 && !generic.test(name),
    ) ?? ""
  );
}

/** Removes dispensable parts, then ends at a clause or a phrase; cuts at a word as the last resort. */
export function shortenTitle(
  text: string,
  limit = maxTitle,
  uncut = limit === maxTitle ? maxUncut : limit,
): string {
  let title = text.replace(/\s+/g, " ").trim();
  for (const leaveOut of dispensable) {
    if (title.length <= limit) return title;
    const shorter = leaveOut(title)
      .replace(/\s+([,;:])/g, "$1")
      .trim();
    if (shorter.length >= 25) title = capitalise(shorter);
  }
  const whole = limit === maxTitle ? maxWhole : limit;
  if (title.length <= whole) return title;
  return (
    endAt(clauseMark, title, whole, limit * 0.6) ??
    endAt(clauseMark, title, limit, minClause) ??
    (title.length <= uncut ? title : undefined) ??
    endAt(phraseMark, title, whole, limit * 0.6) ??
    cutAtWord(title, whole)
  );
}

/** A name before the statement: "`cache.ts` — …", "Retry logic: …". The name alone says nothing. */
const labelled = /^(?:`[^`]+`|[\w./:#()-]+(?: [\w./-]+){0,2})(?:\s*\([^)]*\))?\s*[:—–]\s+/;

/** Minimum length of a title that ends where another clause begins. */
const minClause = 32;
const longestMark = 16;

function endAt(mark: RegExp, title: string, limit: number, min: number): string | undefined {
  const name = labelled.exec(title)?.[0].length ?? 0;
  const label = /^[^:—–]{1,40}[:—–]\s+/.exec(title)?.[0].length ?? 0;
  const clause = subordinate.exec(title.slice(label))?.[0].length ?? 0;
  const opening = clause ? label + clause : name;
  const ends = [...title.slice(0, limit + longestMark).matchAll(mark)]
    .map(({ index }) => index)
    .filter((end) => end >= Math.max(min, opening && opening + 15) && end <= limit && mayEndAt(title, end));
  return ends.length > 0 ? title.slice(0, Math.max(...ends)).replace(/[\s,;:.—–-]+$/u, "") : undefined;
}

/** The rest is a clause of its own. It may contain a negation, as long as it does not begin with one. */
function mayEndAt(title: string, end: number): boolean {
  const rest = title.slice(end);
  const isOwnSentence = rest.startsWith(". ");
  return (
    isOutsideCode(title, end) &&
    !/\b(?:i\.e|e\.g|vs|etc)$|\b(?:one|two|three|four|several|exactly)\b.{0,40}$/i.test(
      title.slice(Math.max(0, end - 45), end),
    ) &&
    (isOwnSentence || !(explanation.test(rest) ? beginsRestricted : restricts)(rest)) &&
    !unfinished.test(title.slice(0, end).trimEnd()) &&
    !(/^ because /i.test(rest) && denial.test(title.slice(0, end))) &&
    !negation.test(title.slice(Math.max(0, end - 12), end))
  );
}

/** The last resort: an ellipsis shows that text is missing. A cut inside code is moved before the code. */
function cutAtWord(title: string, limit: number): string {
  // Leaves room for a closing backtick and the ellipsis.
  const cut = title.slice(0, limit - 2);
  const code = isOutsideCode(title, cut.length) ? -1 : cut.lastIndexOf("`");
  const space = cut.lastIndexOf(" ");
  const end = code > limit * 0.5 ? code : space > limit * 0.6 ? space : cut.length;
  return `${closeCode(cut.slice(0, end)).replace(/[\s,;:(—–-]+$/u, "")}…`;
}

function isOutsideCode(text: string, at: number): boolean {
  return (text.slice(0, at).match(/`/g)?.length ?? 0) % 2 === 0 && countOpen(text.slice(0, at)) === 0;
}

function countOpen(text: string): number {
  return (text.match(/\(/g)?.length ?? 0) - (text.match(/\)/g)?.length ?? 0);
}

/** Closes a backtick that a cut inside code left open. */
function closeCode(text: string): string {
  return (text.match(/`/g)?.length ?? 0) % 2 === 1 ? `${text}\`` : text;
}

/** File and code names keep their case. */
export function capitalise(text: string): string {
  return /^\p{Ll}[\p{L}'’-]*(?=[\s,:;]|$)/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The latest titles, each whole; a truncated title is listed only if there is no other. */
export function joinTitles(titles: readonly string[]): string {
  const whole = titles.filter((title) => !title.endsWith("…"));
  return joinFitting(whole.length > 0 ? whole : titles, " · ", maxTitlesLength);
}

const maxTitlesLength = 500;
