import type { Sentence } from "./sentences.ts";

/** Longest title, in characters. */
export const maxTitle = 90;

/** Small words of agreement and filler before the statement. "No" is never among them: it may be the statement. */
const opening =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|great|good|perfect|right|sure|exactly|correct|interesting|thanks?|done|fixed|agreed|confirmed|got it|found it|makes sense|hm+|well|btw|fwiw|note|important|in short|in summary|bottom line|tl;?dr|conclusion|net|basically|actually|also|additionally|plus|so|and|but|then|however|meanwhile|finally|lastly|first|second|third|worth (?:noting|flagging|knowing)|(?:one|two) (?:thing|catch|caveat)s?)(?:\s*[,.:!;]|\s+[—–-])\s*)+/i;
const connective = /^(?:so|and|but|also|then|thus|plus) (?=\S)/i;
const bullet = /^(?:[^\p{L}\p{N}`"'“([{<$@/.~-]+|\(?\d{1,2}[.)]\s+|[A-H][.)]\s+)+/u;
const dangling = /^(?:this|that|it|these|those|they|both|the (?:same|former|latter|above|following))\b/i;

/** Parts that a shorter title can do without, the most dispensable first. Each must leave the meaning as it is. */
const dispensable: readonly (readonly [RegExp, string])[] = [
  [/\s*\((?:lines?|see|e\.g\.|i\.e\.|~)[^()]*\)/gi, ""],
  [/\s+(?:at|on|around|near) lines? [\d,–—-]+/gi, ""],
  [/(`?[\w./-]+\.\w{1,5}):\d+(?:[-–]\d+)?(`?)/g, "$1$2"],
  [/`(?:[\w.@-]+\/)+([\w.@-]+)`/g, "`$1`"],
  [/\s*\([^()]{6,}\)/g, ""],
  [/\s+(?:at|in) `[\w./-]+\.\w{1,5}`(?=[ ,.;—–]|$)/g, ""],
  [
    /^(?:the (?:issue|problem|bug|catch|point|key (?:insight|point)|reason) (?:is|was)(?: that)?|it turns out(?: that)?|this means(?: that)?|i(?:'ve| have)? (?:found|noticed|see|confirmed)(?: that)?|note that|(?:the )?root cause(?: is| was)?:?(?: that)?|i(?:'ve| have) (?:successfully |now )?)[\s:,—–-]*/i,
    "",
  ],
];
const clauseMarks = [
  " — ",
  " – ",
  "; ",
  ", so ",
  ", which ",
  ", and ",
  ", because ",
  ". ",
  ", where ",
  ", since ",
  ", then ",
  ", with ",
];
/** A subordinate clause needs its main clause: no cut at its end. */
const subordinate =
  /^(?:when|if|after|before|because|since|while|once|until|unless|although|though|for|by|with|without|as|in|on) /i;
/** Words after which a cut would turn the meaning round. */
const reversing =
  /^\s*[,;—–]?\s*(?:but|unless|except|only|not|without|instead|rather|however|although|though)\b/i;

/** A statement that can be read without its turn, at most 90 characters. */
export function makeTitle(sentence: Pick<Sentence, "text" | "heading" | "lead" | "code">): string {
  const { text, heading, lead, code } = sentence;
  let title = stripOpening(text);
  if (/[:：]$/.test(title)) {
    const [line = ""] = code.split("\n").filter((one) => one.trim() && !/^\s*(?:#|\/\/)/.test(one));
    title = line ? `${title} \`${line.trim()}\`` : title.slice(0, -1);
  }
  title = title.replace(/[.。…\s]+$/u, "");
  const context = dangling.test(title) ? contextOf(heading, lead) : "";
  if (context && context.length + title.length + 2 <= maxTitle + 30) title = `${context}: ${title}`;
  return shortenTitle(capitalise(title));
}

export function stripOpening(text: string): string {
  const bare = text.replace(bullet, "").trim();
  const rest = bare.replace(opening, "").replace(connective, "").trim();
  return rest.length >= 12 ? rest : bare;
}

/** A heading names the subject of a sentence that begins with "it"; "Summary" and the like name nothing. */
function contextOf(heading: string, lead: string): string {
  const generic =
    /^(?:summary|changes?|what|how|why|notes?|overview|results?|files?|fix|fixes|done|next|details?|verification|status|here|problem|solution|the|key|design|\d)/i;
  return (
    [lead.replace(/[:：]$/, ""), heading].find(
      (name) => name.length >= 4 && name.length <= 50 && !generic.test(name),
    ) ?? ""
  );
}

/** Leaves out dispensable parts, then cuts at the end of a clause, then at a word. */
export function shortenTitle(text: string, limit = maxTitle): string {
  let title = text.replace(/\s+/g, " ").trim();
  for (const [part, instead] of dispensable) {
    if (title.length <= limit) return title;
    const shorter = title
      .replace(part, instead)
      .replace(/\s+([.,;:])/g, "$1")
      .trim();
    if (shorter.length >= 25) title = capitalise(shorter);
  }
  if (title.length <= limit) return title;
  const ends = (subordinate.test(title) ? clauseMarks.slice(0, 3) : clauseMarks)
    .flatMap((mark) => listPlaces(title.slice(0, limit + mark.length), mark))
    .filter(
      (end) =>
        end >= limit * 0.45 &&
        end <= limit &&
        isOutsideCode(title, end) &&
        !reversing.test(title.slice(end).replace(/^, (?:and|so|then)/, "")),
    );
  if (ends.length > 0) return title.slice(0, Math.max(...ends)).replace(/[\s,;:.—–-]+$/u, "");
  const cut = title.slice(0, limit - 1);
  const space = cut.lastIndexOf(" ");
  return `${closeCode(cut.slice(0, space > limit * 0.6 ? space : cut.length)).replace(/[\s,;:—–-]+$/u, "")}…`;
}

function listPlaces(text: string, mark: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) places.push(at);
  return places;
}

function isOutsideCode(text: string, at: number): boolean {
  return (text.slice(0, at).match(/`/g)?.length ?? 0) % 2 === 0 && countOpen(text.slice(0, at)) === 0;
}

function countOpen(text: string): number {
  return (text.match(/\(/g)?.length ?? 0) - (text.match(/\)/g)?.length ?? 0);
}

/** A cut inside code leaves no open backtick behind. */
function closeCode(text: string): string {
  return (text.match(/`/g)?.length ?? 0) % 2 === 1 ? `${text}\`` : text;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
