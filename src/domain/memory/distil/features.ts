import { type Candidate, type TurnFacts, wordsOf } from "./candidates.ts";

/** Number of weights that the hashed features share. */
const hashSize = 1 << 15;

/** A sparse vector: indices and values. */
export interface Features {
  places: number[];
  values: number[];
}

/** Named boolean cues. The names are only used in the trainer's report. */
const cues: Record<string, RegExp> = {
  cause:
    /\b(?:because|caus(?:e|ed|es|ing)|due to|root cause|reason|turn(?:s|ed) out|the (?:problem|issue|bug) (?:was|is)|culprit|which (?:means|meant|is why)|that'?s why)\b|原因|왜냐|때문|weil|porque|parce que|потому|因为/i,
  fix: /\b(?:fix(?:ed|es)?|resolv(?:ed|es)|solved|repaired|patched)\b|修复|修正|수정|behoben|corregid|corrig|исправ/i,
  decide:
    /\b(?:decid(?:ed|e)|decision|chose|chosen|choice|go(?:ing)? with|opted|prefer(?:red)?|instead of|rather than|trade-?off|rejected|keep(?:ing)?|dropp(?:ed|ing)|switch(?:ed|ing) (?:to|from))\b|决定|決定|결정|entschieden|decid|décid|решен/i,
  rule: /\b(?:always|never|must|must not|should(?:n'?t)?|from now on|going forward|don'?t|do not|only|policy|convention|require[sd]?|make sure|ensure)\b|必须|必ず|항상|immer|niemals|siempre|nunca|toujours|jamais|sempre|всегда|никогда/i,
  gotcha:
    /\b(?:gotcha|caveat|beware|careful|note that|however|but|only (?:if|when|works)|silently|unless|except|otherwise|limitation|doesn'?t (?:work|support|handle)|can'?t|cannot|no longer|surpris|misleading|actually|even though|despite|workaround|known issue|race|deprecated|incompatible|breaks?)\b|注意|주의|achtung|cuidado|attention|внимание/i,
  open: /\b(?:todo|remaining|left (?:to do|open|undone)|not (?:yet|done|implemented|covered|fixed|tested|included)|still (?:needs?|open|missing|fails?)|follow-?up|deferred|later|out of scope|pending|future|next steps?|unresolved|haven'?t|hasn'?t)\b/i,
  offer:
    /\b(?:want me to|shall i|should i|would you like|do you want|let me know|if you(?:'d)? (?:want|like|prefer)|happy to|ready (?:to|for)|i can (?:also )?)\b/i,
  errand:
    /\b(?:commit(?:ted|s)?|push(?:ed|es)?|merged|rebased|branch|pull request|PR|pr #?\d+|stag(?:ed|ing)|tests? pass(?:es|ed|ing)?|all (?:green|passing|done)|clean|no errors|lint|build (?:passes|succeeds))\b/i,
  will: /^(?:now |next,? |first,? |then,? )?(?:let me|i'?ll|i will|let'?s|i'?m going to|going to)\b/i,
  done: /^(?:done|fixed|added|updated|created|removed|committed|pushed|implemented|all (?:done|set)|great|perfect|good|ok|yes|no|sure|right|got it)\b/i,
  question: /[?？]\s*["')\]]?$/,
  colon: /[:：]$/,
  dangling:
    /^(?:this|that|it|these|those|they|he|she|both|here|there|the (?:fix|change|issue|problem|same|former|latter|above|following))\b/i,
  connective:
    /^(?:so|also|and|but|then|thus|therefore|otherwise|however|additionally|plus|meanwhile|instead|because|since|which)\b/i,
  first: /\bI(?:'ve|'m| have| am)?\b/,
  we: /\b(?:we|our|us)\b/i,
  you: /\b(?:you|your)\b/i,
  negation:
    /\b(?:no|not|never|without|none|nothing|n't)\b|n't\b|不|没|ない|안|않|nicht|kein|ningun|aucun|нет|не /i,
  past: /\b\w+ed\b/,
  number: /\d/,
  code: /`[^`]+`/,
  path: /[\w-]+\/[\w./-]+|\b\w+\.(?:ts|js|tsx|jsx|go|py|rs|rb|java|md|json|ya?ml|toml|sh|sql|css|html|c|cpp|h|swift|kt)\b/,
  identifier: /\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|[A-Z]{2,}\w*)\b/,
  arrow: /→|->|=>/,
  quote: /["“”]/,
  command: /`(?:npm|npx|git|go|cargo|python|pip|docker|kubectl|make|bun|pnpm|yarn|brew|gh|curl|mise)\b/,
  reason: /\b(?:so that|in order to|to (?:avoid|prevent|keep|make|allow|ensure))\b/i,
  happens: /\b(?:when|whenever|if|after|before|while|once|until)\b/i,
  hedge:
    /\b(?:likely|might|may(?:be)?|probably|perhaps|i think|i bet|seems?|appears?|possibly|presumably|wait)\b/i,
  contrast:
    /\b(?:instead|rather|even though|although|despite|regardless|not just|no longer|never|only (?:when|if|on|for|after)|silently|falls? back|otherwise|unless|except|without)\b|\bnot\b.{3,60}\bbut\b|\((?:not|was|instead)\b/i,
  consequence:
    /\b(?:so|so that|which (?:means|caus|break|makes|lets|would)|therefore|prevents?|avoids?|means|makes it|lets|allows?|leads? to|results? in)\b/i,
  agrees:
    /\b(?:you'?re (?:absolutely )?right|good (?:point|catch|call)|fair point|my mistake|i was wrong|correction|apologies|sorry)\b/i,
  userWants:
    /\b(?:the user (?:wants?|asked|prefers?|said)|per your|as you (?:asked|requested|said)|got it)\b/i,
  fileList:
    /^`?[\w./-]+\.\w+`?(?::\d+)?(?:`)?\s*(?:\([^)]*\))?\s*[—–:-]\s*(?:added|updated|removed|created|changed|new|renamed|moved|replaced|deleted|modified)\b/i,
  addedList:
    /^(?:added|updated|removed|created|renamed|moved|deleted|modified|replaced|extracted|changed|new)\b/i,
  tests: /\btests?\b|_test\b|\.(?:test|spec)\./i,
  verified:
    /\b(?:verif(?:y|ied)|confirmed|pass(?:es|ed|ing)?|green|succeed(?:s|ed)|works? (?:now|correctly|as expected))\b/i,
  keep: /\b(?:key (?:insight|point|rule|decision)|worth (?:knowing|noting|flagging)|one (?:catch|caveat)|the catch|important(?:ly)?|turns out|deliberate(?:ly)?|intentional(?:ly)?|by design|on purpose|known (?:issue|limitation)|pre-existing)\b/i,
  sha: /\b[0-9a-f]{7,40}\b/,
  emoji: /[✅✓✔❌⚠🎉🚀]/u,
  percent: /\d+(?:\.\d+)?\s?(?:%|ms|MB|KB|s\b|px)/,
  imperative:
    /^(?:please |can you |could you |now )?(?:add|fix|make|use|remove|update|change|create|write|run|commit|push|check|look|show|tell|explain|implement|do|try|let'?s)\b/i,
  wantsUser:
    /\b(?:i (?:want|would like|prefer|need|don'?t (?:want|like)|meant)|we (?:want|should|need|always|never|don'?t|use)|should (?:be|live|not|have|use)|let'?s (?:use|leave|not|keep|go)|do not|don'?t|not)\b/i,
  /** Words that refer to another sentence. */
  refersBack:
    /\b(?:it|this|that (?:one|option|way|case|change|file|part)|these|those|them|the (?:same|one here|latter|former)|as well|here|above|below|option \w|#\d|step \d|\d\.)(?=[\s,.;:!?]|$)/i,
  reportsBug:
    /\b(?:seems? (?:to|that|like)|still (?:fail|not|the same|get|see)|there(?:'s| is) a bug|not working|doesn'?t (?:work|seem)|i (?:see|get|got|tested|ran|tried)|fails?|is (?:broken|missing|wrong))\b/i,
  forThisTurn:
    /\b(?:for now|this (?:turn|session|branch|pr|commit|time)|right now|first|kick off|sub-?agent|have a look|look (?:at|into)|go back|pull in|switch to|rebase|keep going|continue|try again|reply|write down|make a plan|let'?s (?:see|talk|discuss|do)|before (?:committing|we))\b/i,
  running:
    /\b(?:running|launched|in progress|waiting|background|still (?:to come|pending|running)|angles?|finders?|agents? (?:are|is|in|done|running)|dispatched|kicked off|candidates?)\b/i,
  by: /\b(?:by default|default(?:s|ed)? to|uses?|needs?|requires?|expects?|returns?|stores?|lives? in|handles?)\b/i,
};
const cueNames = Object.keys(cues);

/** Headings that announce a kind of content. */
const headings: Record<string, RegExp> = {
  summary: /\b(?:summary|what (?:changed|was done|i did)|changes|overview|results?)\b/i,
  cause: /\b(?:root cause|cause|why|problem|issue|bug|diagnosis|finding)/i,
  fix: /\b(?:fix|solution|resolution)/i,
  decision: /\b(?:decision|design|approach|rationale|trade-?off|choice|recommend)/i,
  gotcha: /\b(?:gotcha|caveat|note|warning|risk|limitation|important|concern|edge)/i,
  open: /\b(?:next|todo|remaining|open|follow|future|deferred|pending|out of scope|not done)/i,
  files: /\b(?:files?|modified|verification|tests?|commits?|status)\b/i,
  option: /\b(?:option|alternative|plan|phase|step|task)\b/i,
};
const headingNames = Object.keys(headings);

const dense = 1 + cueNames.length * 3 + headingNames.length + 10 + 70;
/**
 * Indices 0 … `denseSize - 1` are dense, the rest hashed. The last `readingSize` dense ones are reserved for `addStageFeatures`.
 */
export const denseSize = 288;
export const readingSize = 24;
if (dense > denseSize - readingSize) throw new Error("denseSize is too small");
export const featureSize = denseSize + hashSize;

const roles = ["user", "say", "final", "answer", "denied"] as const;
const places = ["paragraph", "bullet", "row", "heading", "quote"] as const;

/** All features of a sentence that the first stage scores. */
export function makeFeatures(
  candidate: Candidate,
  facts: TurnFacts,
  readWords: (text: string) => readonly string[],
  before: string,
  after: string,
): Features {
  const features: Features = { places: [], values: [] };
  const add = (place: number, value = 1): void => {
    if (value === 0) return;
    features.places.push(place);
    features.values.push(value);
  };
  const { text, role, place, heading, lead } = candidate;
  const roleAt = roles.indexOf(role);
  const speaker = role === "user" ? 1 : role === "say" ? 0 : 2;
  let at = 0;
  add(at++);
  for (const [n, name] of cueNames.entries()) {
    const cue = cues[name] as RegExp;
    if (cue.test(text)) {
      add(at + n);
      if (speaker > 0) add(at + cueNames.length * speaker + n);
    }
  }
  at += cueNames.length * 3;
  const above = `${heading} ${lead}`;
  for (const [n, name] of headingNames.entries()) if ((headings[name] as RegExp).test(above)) add(at + n);
  at += headingNames.length;
  add(at + places.indexOf(place));
  at += places.length;
  add(at + roleAt);
  at += roles.length;
  const words = wordsOf(text);
  const length = text.length;
  const codes = (text.match(/`/g)?.length ?? 0) / 2;
  const scalars = [
    Math.min(1, length / 200),
    Number(length < 30),
    Number(length >= 30 && length < 60),
    Number(length >= 60 && length < 110),
    Number(length >= 110 && length < 200),
    Number(length >= 200 && length < 350),
    Number(length >= 350),
    Math.min(1, words.length / 40),
    candidate.index / Math.max(1, candidate.count),
    Number(candidate.index === 0),
    Number(candidate.index === candidate.count - 1),
    Math.min(1, candidate.count / 30),
    Number(candidate.messageLength > 800),
    Number(candidate.messageLength > 3_000),
    Math.min(1, facts.edits / 5),
    Number(facts.edits > 0),
    Math.min(1, facts.tools / 20),
    Number(facts.tools === 0),
    Math.min(1, facts.failures / 3),
    share(words, facts.promptWords),
    share(words, facts.failureWords),
    Number(words.some((word) => facts.files.has(word))),
    Number(facts.promptLength < 40),
    Number(facts.promptLength > 800),
    Number(facts.previousAsked),
    Number(/^[a-z]/.test(text)),
    Number(candidate.code !== ""),
    Number(heading !== ""),
    Number(lead !== ""),
    Number(/^[^.]{3,40}(?::| [—–-] )/.test(text)),
    Number(facts.isPasted && role === "user"),
    Number(facts.isPasted),
    Number(facts.finalLength < 200 && role === "say"),
    Number(facts.isCut && role === "say"),
    Number(facts.finalLength > 1_500 && role === "final"),
    Number(role === "say" && share(words, facts.finalWords) > 0.6),
    Number(codes > 0 && (cues["cause"] as RegExp).test(text)),
    Number(codes > 0 && (cues["contrast"] as RegExp).test(text)),
    Number(codes > 0 && (cues["consequence"] as RegExp).test(text)),
    Math.min(1, codes / 4),
    Number(codes === 0 && !/[A-Z]\w*[A-Z_.]\w*|\w+[._/]\w+/.test(text)),
    Math.min(1, (text.match(/[,;]/g)?.length ?? 0) / 4),
    Number(candidate.index < 3),
    Number(candidate.index >= candidate.count - 3),
    Number(facts.promptLength < 200 && role === "user"),
    Number(facts.promptIsQuestion),
    Number(facts.promptTrouble),
    Number(facts.promptMakes),
    Number(facts.promptDesigns),
    Number(facts.promptTrouble && facts.edits > 0),
    Number(facts.promptMakes && facts.edits > 0),
    Number(facts.turnFixes),
    Number(facts.turnFixes && facts.edits > 0),
    Number(facts.edits > 0 && role === "final"),
    Number(facts.tools > 0 && facts.edits === 0 && role === "final"),
    Number(facts.promptIsQuestion && role === "final" && candidate.index < 3),
  ];
  for (const [n, value] of scalars.entries()) add(at + n, value);

  const tokens = readWords(text);
  const mark = role === "say" || role === "final" ? "a" : role === "user" ? "u" : "q";
  const seen = new Set<string>();
  const hash = (feature: string, value = 1): void => {
    if (seen.has(feature)) return;
    seen.add(feature);
    add(denseSize + (hash32(feature) & (hashSize - 1)), value);
  };
  const scale = 1 / Math.sqrt(Math.max(6, tokens.length));
  for (const [n, token] of tokens.slice(0, 60).entries()) {
    hash(`w ${token}`, scale);
    hash(`${mark} ${token}`, scale);
    if (n > 0) hash(`b ${tokens[n - 1]} ${token}`, scale);
  }
  hash(`^1 ${mark} ${tokens[0] ?? ""}`, 0.5);
  hash(`^2 ${mark} ${tokens[0] ?? ""} ${tokens[1] ?? ""}`, 0.5);
  hash(`^3 ${tokens.slice(0, 3).join(" ")}`, 0.5);
  hash(`$1 ${mark} ${tokens.at(-1) ?? ""}`, 0.5);
  for (const token of readWords(heading).slice(0, 6)) hash(`h ${token}`, 0.35);
  for (const token of readWords(lead).slice(-6)) hash(`l ${token}`, 0.25);
  hash(`r ${role} ${place}`, 0.5);
  for (const token of facts.promptTokens) hash(`p ${token}`, 0.12);
  for (const token of readWords(before).slice(0, 3)) hash(`< ${token}`, 0.2);
  for (const token of readWords(after).slice(0, 3)) hash(`> ${token}`, 0.2);
  return features;
}

function share(words: readonly string[], of: ReadonlySet<string>): number {
  const long = words.filter((word) => word.length > 3);
  return long.length === 0 ? 0 : long.filter((word) => of.has(word)).length / long.length;
}

/** FNV-1a with a final mix, so that low bits are usable. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
