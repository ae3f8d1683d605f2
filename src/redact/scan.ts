import { findAddressPassword } from "./address.ts";
import { findAssignment } from "./assignment.ts";
import type { Finding } from "./finding.ts";
import { findFlag } from "./flag.ts";
import { findHeader } from "./header.ts";
import { findPrivateKey } from "./pem.ts";
import { accessRules } from "./rules-access.ts";
import { businessRules } from "./rules-business.ts";
import { cloudRules } from "./rules-cloud.ts";
import { codeRules } from "./rules-code.ts";
import { modelRules } from "./rules-model.ts";
import { isMask, isRandom } from "./secret-value.ts";
import type { ShapeRule } from "./shape-rule.ts";

type Finder = (text: string, at: number) => Finding | undefined;

interface Trigger {
  literal: string;
  find: Finder;
}

/** Finders by the two characters they begin with: one look-up per character is the price of text without secrets. */
const triggersByPair: (Trigger[] | undefined)[] = Array.from({ length: 128 * 128 });
const pairs = new Uint8Array(128 * 128);

for (const rule of [...modelRules, ...codeRules, ...cloudRules, ...businessRules, ...accessRules]) {
  for (const literal of rule.at) register(literal, (text, at) => findShape(rule, text, at));
}
for (const name of ["uthorization", "UTHORIZATION", "ookie", "OOKIE"]) {
  register(name, (text, at) => findHeader(text, at - 1));
}
register("--", (text, at) =>
  text[at - 1] === "-" ? undefined : (findPrivateKey(text, at) ?? findFlag(text, at)),
);
for (const flag of ["-Pass", "-pass", "-Tok", "-tok", "-Sec", "-sec", "-Api", "-api", "-ApiK", "-PAT"]) {
  register(flag, (text, at) => (text[at - 1] === " " ? findFlag(text, at) : undefined));
}
register("//", (text, at) => (text[at - 1] === ":" ? findAddressPassword(text, at - 1) : undefined));
for (let code = 0; code < 128; code++) {
  for (const separator of "=:>,") register(separator + String.fromCharCode(code), findTypedAssignment);
}

function register(literal: string, find: Finder): void {
  const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1);
  pairs[pair] = 1;
  (triggersByPair[pair] ??= []).push({ literal, find });
}

/** Everything in the text that must not be stored, in order, without overlaps. Takes time linear in the text. */
export function findSecrets(text: string): Finding[] {
  // One byte per character, cut from the code: reading a typed array is several times faster than reading a string.
  const bytes = Buffer.from(text, "latin1");
  const found: Finding[] = [];
  const last = bytes.length - 1;
  let done = 0;
  let code = bytes[0] ?? 0;
  for (let index = 0; index < last; index++) {
    const next = bytes[index + 1] ?? 0;
    if (code < 128 && pairs[(code << 7) | (next < 128 ? next : 127)] === 1 && index >= done) {
      const finding = findAt(text, index, done);
      if (finding !== undefined) {
        found.push(finding);
        done = finding.end;
      }
    }
    code = next;
  }
  return found;
}

function findAt(text: string, index: number, done: number): Finding | undefined {
  const next = text.charCodeAt(index + 1);
  for (const { literal, find } of triggersByPair[(text.charCodeAt(index) << 7) | (next < 128 ? next : 127)] ??
    []) {
    if (
      literal.length > 2 &&
      (text.charCodeAt(index + 2) !== literal.charCodeAt(2) || !text.startsWith(literal, index))
    ) {
      continue;
    }
    const finding = find(text, index);
    if (finding !== undefined && finding.start >= done && finding.end > finding.start) return finding;
  }
  return undefined;
}

/** A value with a known form is named by its form, not by the name it was assigned to. */
function findTypedAssignment(text: string, at: number): Finding | undefined {
  const finding = findAssignment(text, at);
  if (finding === undefined) return undefined;
  const { start, end } = finding;
  const typed = findAt(text, start, start);
  return typed !== undefined && typed.start === start && typed.end >= end ? typed : finding;
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

/** True if no token reaches into this place from the left; an escaped line end, a colour code or `%3D` is no token. */
function isFree(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isAlnum =
    (before >= 48 && before <= 57) || (before >= 65 && before <= 90) || (before >= 97 && before <= 122);
  if (!isAlnum) return true;
  return seam.test(text.slice(Math.max(0, at - 12), at));
}
