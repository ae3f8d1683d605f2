import { findAssignment } from "./assignment.ts";
import { findAddressPassword, findFlag, findHeader } from "./by-syntax.ts";
import { findHtmlCell, findVaultData } from "./columns.ts";
import type { Finding } from "./finding.ts";
import { encodedWords, findEncoded } from "./encoded.ts";
import { findMnemonic, mnemonicCues } from "./mnemonic.ts";
import { findBareKey, findKeyTail, findPrivateKey, keyOpenings } from "./pem.ts";
import { findForeign, findSpoken, foreignWords, nameEndings } from "./prose.ts";
import { accessRules } from "./rules-access.ts";
import { businessRules } from "./rules-business.ts";
import { cloudRules } from "./rules-cloud.ts";
import { commandRules } from "./rules-command.ts";
import { codeRules } from "./rules-code.ts";
import { modelRules } from "./rules-model.ts";
import { isMask, isRandom } from "./secret-value.ts";
import type { ShapeRule } from "./shape-rule.ts";

type Finder = (text: string, at: number) => Finding | undefined;

interface Trigger {
  literal: string;
  /** Offset in the literal of the character pair it is registered by. */
  offset: number;
  find: Finder;
}

/** Finders by a character pair of their literal: text without secrets costs one look-up per character. */
const triggersByPair: (Trigger[] | undefined)[] = Array.from({ length: 256 * 256 });
const pairs = new Uint8Array(256 * 256);

/** Letters by frequency in English; all other characters are rarer. */
const byFrequency = " etaoinsrhldcumfpgwybvkxjqz";
const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

for (const rule of [
  ...modelRules,
  ...codeRules,
  ...cloudRules,
  ...businessRules,
  ...accessRules,
  ...commandRules,
]) {
  for (const literal of rule.at) registerRare(literal, (text, at) => findShape(rule, text, at));
}
for (const name of ["uthorization", "UTHORIZATION", "ookie", "OOKIE"]) {
  registerRare(name, (text, at) => findHeader(text, at - 1));
}
register("--", (text, at) =>
  text[at - 1] === "-"
    ? undefined
    : (findPrivateKey(text, at) ?? findKeyTail(text, at) ?? findFlag(text, at)),
);
for (const literal of keyOpenings) register(literal, findBareKey);
for (const flag of ["-Pass", "-pass", "-Tok", "-tok", "-Sec", "-sec", "-Api", "-api", "-ApiK", "-PAT"]) {
  register(flag, (text, at) => (text[at - 1] === " " ? findFlag(text, at) : undefined));
}
register("//", (text, at) => (text[at - 1] === ":" ? findAddressPassword(text, at - 1) : undefined));
for (const cue of mnemonicCues)
  registerRare(cue, (text, at) => findMnemonic(text, at + cue.replace(/[:=]$/, "").length));
for (const ending of nameEndings) registerRare(ending, (text, at) => findSpoken(text, at + ending.length));
for (const [word, judged] of foreignWords)
  registerRare(word, (text, at) => findForeign(text, at, { word, judged }));
for (const { literal, phase } of encodedWords) register(literal, (text, at) => findEncoded(text, at, phase));
for (let code = 0; code < 256; code++) {
  for (const separator of "=:>,") register(separator + String.fromCharCode(code), findTypedAssignment);
}

register("= Data =", findVaultData);
// Not `||`, which is common in code.
for (const next of ` \`*${alphanumeric}`) register(`|${next}`, findTypedAssignment);
for (const tag of ["</td>", "</th>", "</dt>"]) register(tag, findHtmlCell);

/** Registers a literal by its rarest pair, because its first pair may occur in every sentence. */
function registerRare(literal: string, find: Finder): void {
  const rarity = (index: number) => {
    const rank = byFrequency.indexOf(literal[index] ?? "");
    return rank === -1 ? byFrequency.length : rank;
  };
  let offset = 0;
  for (let index = 1; index + 1 < literal.length; index++) {
    if (rarity(index) + rarity(index + 1) > rarity(offset) + rarity(offset + 1)) offset = index;
  }
  register(literal, find, offset);
}

/** Registers by the low bytes of the pair: the scanner only sees those. */
function register(literal: string, find: Finder, offset = 0): void {
  const pair = ((literal.charCodeAt(offset) & 255) << 8) | (literal.charCodeAt(offset + 1) & 255);
  pairs[pair] = 1;
  (triggersByPair[pair] ??= []).push({ literal, offset, find });
}

/** Everything in the text that must not be stored, in order and without overlaps. Runs in linear time. */
export function findSecrets(text: string): Finding[] {
  // One byte per character (the low byte of its code): reading a typed array is several times faster than reading a
  // string.
  const bytes = Buffer.from(text, "latin1");
  const found: Finding[] = [];
  const last = bytes.length - 1;
  let done = 0;
  let code = bytes[0] ?? 0;
  for (let index = 0; index < last; index++) {
    const next = bytes[index + 1] ?? 0;
    if (pairs[(code << 8) | next] === 1 && index >= done) {
      const finding = findAt(text, index, done);
      if (finding !== undefined) {
        const { more = [], ...first } = finding;
        found.push(first, ...more);
        done = (more.at(-1) ?? first).end;
      }
    }
    code = next;
  }
  return found;
}

function findAt(text: string, index: number, done: number, skipped?: Finder): Finding | undefined {
  const pair = ((text.charCodeAt(index) & 255) << 8) | (text.charCodeAt(index + 1) & 255);
  for (const { literal, offset, find } of triggersByPair[pair] ?? []) {
    const at = index - offset;
    if (
      literal.length > 2 &&
      (text.charCodeAt(at + 2) !== literal.charCodeAt(2) || !text.startsWith(literal, at))
    ) {
      continue;
    }
    if (find === skipped) continue;
    const finding = find(text, at);
    if (finding !== undefined && finding.start >= done && finding.end > finding.start) return finding;
  }
  return undefined;
}

/** Far enough into a value to reach the pair that its form is registered by. */
const maxOffset = 20;

/** A value with a known form gets the kind of its form, not of the name it was assigned to. */
function findTypedAssignment(text: string, at: number): Finding | undefined {
  const finding = findAssignment(text, at);
  if (finding === undefined) return undefined;
  const { start, end } = finding;
  for (let index = start; index < Math.min(end, start + maxOffset); index++) {
    const typed = findAt(text, index, start, findTypedAssignment);
    if (typed?.start === start && typed.end >= end) return typed;
  }
  return finding;
}

function findShape(rule: ShapeRule, text: string, at: number): Finding | undefined {
  const start = at - (rule.back ?? 0);
  if (start < 0 || (rule.inside !== true && !isFree(text, start))) return undefined;
  rule.shape.lastIndex = start;
  const match = rule.shape.exec(text);
  if (match === null) return undefined;
  const secret = match[1] ?? match[0];
  if (rule.random === true && !isRandom(secret)) return undefined;
  if (isMask(secret)) return undefined;
  const end = start + match[0].length;
  return { start: end - secret.length, end, kind: rule.kind };
}

const escapeCode = String.fromCharCode(27);
const seam = new RegExp(`(?:\\\\[nrt]|${escapeCode}\\[[\\d;]{0,8}m|%[0-9A-Fa-f]{2}|\\\\u00[0-9a-fA-F]{2})$`);

/** Whether no token extends to this position from the left; an escaped line break, a colour code or `%3D` is not a token. */
function isFree(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isAlnum =
    (before >= 48 && before <= 57) || (before >= 65 && before <= 90) || (before >= 97 && before <= 122);
  if (!isAlnum) return true;
  return seam.test(text.slice(Math.max(0, at - 12), at));
}
