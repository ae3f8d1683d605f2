import type { Finding } from "./finding.ts";
import { type Form, looksLikePassword, isSecretValue, isSpokenValue } from "./judge-value.ts";
import { readNameBefore } from "./read-name.ts";
import { judgeName, type SecretName } from "./secret-name.ts";
import { isRandom } from "./secret-value.ts";

const maxQuoted = 8192;
/** Enough to judge a value; every separator in a long run is judged again, so this bounds the time. */
const maxBare = 120;

/** Characters that make the following `=` a comparison or an operator. */
const compound = new Set(Array.from("=!<>-*/%&^~", (sign) => sign.charCodeAt(0)));
const quotes = new Set(Array.from("\"'`\\", (sign) => sign.charCodeAt(0)));
const [space, comma, slash, colon, equals, greater, bar, tilde] = [32, 44, 47, 58, 61, 62, 124, 126];

/** Hides the value assigned to a name that denotes a secret. `at` is the separator: `=`, `:`, `,` or `>`. */
export function findAssignment(text: string, at: number): Finding | undefined {
  const separator = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  if (separator === equals && (next === equals || next === tilde || compound.has(before))) return undefined;
  if (separator === colon && (next === colon || next === equals || next === slash || before === colon))
    return undefined;
  if (separator === colon && text.startsWith("[secret:", at - 7)) return undefined;
  const isSpaced =
    separator === bar && next === space && before === space && !quotes.has(text.charCodeAt(at - 2));
  if (separator === comma && next === space && !quotes.has(text.charCodeAt(at + 2))) return undefined;
  const named = readNameBefore(text, separator === equals ? startOfOperator(text, at) : at);
  if (named === undefined) return undefined;
  if (separator === bar && !isSpaced && !isFirstCell(text, named.start)) return undefined;
  if (separator === greater && text[named.start - 1] !== "<" && !isAttribute(text, named.start))
    return undefined;
  const judged = judgeName(named.name);
  if (judged === undefined) return undefined;
  const rocket = separator === equals && next === greater;
  if (separator === comma) {
    const isArgument = quotes.has(before) && quotes.has(text.charCodeAt(next === space ? at + 2 : at + 1));
    return findValue(
      text,
      at + 1,
      named,
      isArgument ? judged : weaken(judged),
      isArgument ? "argument" : "plain",
    );
  }
  return findValue(
    text,
    rocket ? at + 2 : at + 1,
    named,
    judged,
    separator === greater || rocket ? "element" : "plain",
  );
}

/** `|password|` or "| `password` |" at the start of a Markdown table row; elsewhere a bar is an operator. */
function isFirstCell(text: string, start: number): boolean {
  return /(?:^|\n|\\n)[ \t]{0,8}\|[ \t]{0,8}[*_`]{0,3}$/.test(text.slice(Math.max(0, start - 24), start));
}

/** `<property name="password">`: the attribute names the element's content. */
function isAttribute(text: string, start: number): boolean {
  return /\b(?:name|key)=["']$/i.test(text.slice(Math.max(0, start - 8), start));
}

/** A comma is weak evidence that the value belongs to the name, so the value must look random. */
function weaken(judged: SecretName): SecretName {
  return judged.strength === "credential"
    ? { ...judged, strength: "random" }
    : { ...judged, strength: "opaque" };
}

/** `:=`, `::=`, `?=`, `+=`, `.=` and `||=` assign like `=`. */
function startOfOperator(text: string, at: number): number {
  let start = at;
  while (at - start < 3 && ":?|+.".includes(text[start - 1] ?? " ")) start--;
  return start;
}

const gap = /[ \t]{0,200}(?:[|>][+-]?\d?[ \t]{0,20}(?:\r?\n|\\n)[ \t]{0,200})?/y;
const gapInElement = /\s{0,200}/y;
const opening = /(?:\(\s{0,40})?(?:[fbru@L$]{1,2})?(\\*["'`])|/y;

function findValue(
  text: string,
  from: number,
  named: { name: string; start: number },
  judged: SecretName,
  place: "plain" | "element" | "argument",
): Finding | undefined {
  const closed = place === "element";
  const skipped = closed ? gapInElement : gap;
  skipped.lastIndex = from;
  skipped.test(text);
  const start = skipped.lastIndex;
  if (text[start] === "[" || text.startsWith(".join(", start + 2)) return findJoined(text, start, judged);
  opening.lastIndex = start;
  const opened = opening.exec(text);
  if (opened?.[1] !== undefined) {
    return findQuoted(
      text,
      start + opened[0].length,
      opened[1],
      judged,
      place === "argument" ? "bare" : "quoted",
    );
  }
  const end = endOfBare(text, start);
  if (end === start) return closed ? undefined : findBelow(text, start, named, judged);
  const form = closed ? "quoted" : formOf(text, named, from, start, end);
  const stop = form === "environment" ? endOfRun(text, end) : end;
  if (!isSecretValue(judged, text.slice(start, stop), form)) return undefined;
  const last = endOfContinued(text, endOfLong(text, stop, start));
  const isBlock = text.slice(from, start).includes("\n");
  return { start, end: isBlock ? endOfBlock(text, last) : last, kind: judged.kind };
}

/** A block scalar of YAML continues on lines with one word each. */
function endOfBlock(text: string, end: number): number {
  let stop = end;
  const line = /\r?\n[ \t]{1,40}[^\s:="'`]{8,}(?=[ \t]*(?:\r?\n|$))/y;
  for (let part = 0; part < maxParts; part++) {
    line.lastIndex = stop;
    if (!line.test(text)) break;
    stop = line.lastIndex;
  }
  return stop;
}

const items = /\[\s{0,8}((?:(["'`])[^"'`\n\\]{2,100}\2\s{0,8},?\s{0,20}){2,12})\]/.source;
const joinedAfter = new RegExp(`${items}\\.join\\((["'\`])\\3\\)`, "y");
const joinedBefore = new RegExp(`(?:""|'')\\.join\\(${items}\\)`, "y");

/** `["ab", "cd"].join("")`, and the same in Python. */
function findJoined(text: string, at: number, judged: SecretName): Finding | undefined {
  const pattern = text[at] === "[" ? joinedAfter : joinedBefore;
  pattern.lastIndex = at;
  const parts = pattern.exec(text)?.[1]?.trimEnd().replace(/,$/, "");
  if (parts === undefined || !isSecretValue(judged, parts.replace(/["'`,\s]+/g, ""), "quoted"))
    return undefined;
  const start = text.indexOf(parts, at) + 1;
  return { start, end: start + parts.length - 2, kind: judged.kind };
}

const below =
  /[ \t]*\r?\n(?:[ \t]*(?:`{3}\w{0,20})?[ \t]*\r?\n){0,2}[ \t]*`?([^\s`=:"']{6,200})`?[ \t]*(?=\r?\n|$)/y;

/** `Password:` alone on its line, and the value alone on the next one, perhaps in a code block. */
function findBelow(
  text: string,
  at: number,
  named: { name: string; start: number },
  judged: SecretName,
): Finding | undefined {
  below.lastIndex = at;
  const value = below.exec(text)?.[1];
  if (value === undefined || !startsLine(text, named.start)) return undefined;
  if (!isSpokenValue(judged, value, false) || !(looksLikePassword(value) || isRandom(value)))
    return undefined;
  const start = text.indexOf(value, at);
  return { start, end: start + value.length, kind: judged.kind };
}

/** A backslash at the end of a line continues the value on the next line, unless that line is indented. */
function endOfContinued(text: string, end: number): number {
  let stop = end;
  const continued = /\\\r?\n[^\s"'`,;<>&|(){}\\=]+/y;
  for (let part = 0; part < maxParts; part++) {
    continued.lastIndex = stop;
    if (!continued.test(text)) break;
    stop = continued.lastIndex;
  }
  return stop;
}

function findQuoted(
  text: string,
  start: number,
  quote: string,
  judged: SecretName,
  form: Form,
): Finding | undefined {
  let end = endOfQuoted(text, start, quote);
  let value = text.slice(start, end);
  for (let part = 0; part < maxParts; part++) {
    joint.lastIndex = end;
    const isAdjacent = value.length >= 6 && text.startsWith('""', end) && /\w/.test(text[end + 2] ?? "");
    if (!isAdjacent && !joint.test(text)) break;
    const next = isAdjacent ? end + 2 : joint.lastIndex;
    end = endOfQuoted(text, next, quote);
    value += text.slice(next, end);
  }
  return isSecretValue(judged, value, form) ? { start, end, kind: judged.kind } : undefined;
}

/** Joins the parts of a split string: `"ab" + "cd"`, `'ab' . 'cd'`, or only a line break. */
const joint =
  /\\?["'`](?:[ \t]->[ \t]|[ \t]{0,40}[+.&\\][ \t]{0,40}(?:\r?\n|\\n)?|[ \t]{0,40}(?:\r?\n|\\n))[ \t]{0,80}(?:[+.][ \t]{0,8})?\\?["'`](?![ \t]{0,8}[:=])/y;
const maxParts = 100;

function endOfQuoted(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + maxQuoted);
  const mark = quote.at(-1) ?? '"';
  let end = start;
  for (; end < limit; end++) {
    const character = text[end];
    if (character === "\n") break;
    if (character === mark && countBackslashes(text, end) < quote.length) break;
  }
  return end - (quote.length > 1 ? Math.min(quote.length - 1, countBackslashes(text, end)) : 0);
}

function countBackslashes(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === "\\" && count < 8) count++;
  return count;
}

const bare = new RegExp(`[^\\s"'\`,;<>&|(){}\\\\]{0,${maxBare}}`, "y");

function endOfBare(text: string, start: number): number {
  bare.lastIndex = start;
  bare.test(text);
  return bare.lastIndex;
}

/** In an environment file, characters that end a value elsewhere belong to it. */
function endOfRun(text: string, from: number): number {
  const run = /[^\s"'`\\]{0,160}/y;
  run.lastIndex = from;
  run.test(text);
  return run.lastIndex;
}

/** A value longer than the limit is hidden to its end in one step. */
function endOfLong(text: string, end: number, start: number): number {
  if (end - start < maxBare) return end;
  const rest = /[^\s"'`,;<>&|(){}\\]*/y;
  rest.lastIndex = end;
  rest.test(text);
  return rest.lastIndex;
}

/** `spring.mail.password`: a key in a properties file. */
const property = /^(?!this\.|self\.)[a-z][\w-]*(?:\.[a-z][\w-]*){2,}$/i;

function formOf(
  text: string,
  named: { name: string; start: number },
  from: number,
  start: number,
  end: number,
): Form {
  const after = text[end];
  const tight = from === start && text[from - 1] === "=";
  const opens =
    /[^\w$.@]|^$/.test(text[named.start - 1] ?? "") ||
    /\\[nrt]$/.test(text.slice(Math.max(0, named.start - 2), named.start));
  if (tight && opens && /^(?:[A-Z][A-Z0-9_]+|TF_VAR_\w+)$/.test(named.name)) return "environment";
  if (tight && isKeywordString(text, named.start)) return "list";
  const isPart = text[from - 1] === "=" && (after === ";" || after === "&" || after === '"');
  if (isPart && isListed(text, named.start)) return "list";
  const ends =
    after === undefined ||
    after === "\n" ||
    after === "\r" ||
    (after === "\\" && /[nr"]/.test(text[end + 1] ?? ""));
  if (!ends) return "bare";
  if (!startsLine(text, named.start)) return text[from - 1] === ":" ? "tail" : "bare";
  return tight && property.test(named.name) ? "environment" : "line";
}

/** Whether it is part of a connection string or a query: `Server=host;User Id=me;Password=…;`. */
function isListed(text: string, at: number): boolean {
  return /[\w)'"][;&?][ "&]{0,6}$/.test(text.slice(Math.max(0, at - 9), at));
}

/** Whether it is part of a PostgreSQL connection string: `host=h dbname=d password=…`. */
function isKeywordString(text: string, at: number): boolean {
  return /\b(?:host|hostaddr|dbname|port|user|username|login)=[^\s=]{1,60} (?:\w{1,20}=[^\s=]{1,60} ){0,2}$/.test(
    text.slice(Math.max(0, at - 100), at),
  );
}

function startsLine(text: string, at: number): boolean {
  let index = at - 1;
  while (at - index < 40 && /[ \t"'-]/.test(text[index] ?? "")) index--;
  return index < 0 || text[index] === "\n" || (text[index] === "n" && text[index - 1] === "\\");
}
