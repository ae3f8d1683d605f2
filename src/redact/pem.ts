import type { Finding } from "./finding.ts";

const opening = /-{4,5} ?BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?/y;
const header = /(?:\s|\\[nr])*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|X-[\w-]+): [^\n\\]{0,200}/y;
/** Line prefixes of diffs, numbered listings and search results. */
const mark = "(?:(?:\\s|\\\\+[nr])[ \\t]{0,8}(?:[\\w./-]{1,100}[:-])?\\d{1,6}(?:→|[:|-]|\\\\?t)?)?";
const gap = "(?:\\s|\\\\+[nrt]|[\"'+,|>`]|-(?!-))";
const line = new RegExp(`${mark}${gap}{0,60}[A-Za-z0-9+/=]{16,}`, "y");
const lastLine = /(?:\s|\\+[nr]|["'+,|>`]){0,60}[A-Za-z0-9+/]{1,76}={0,2}(?=[\s\\"'`]*(?:-----END|$))/y;
const closing = /-{4,5} ?(?:END[ A-Z0-9_-]{1,60})?KEY(?: BLOCK)?-{4,5}/;
const maxKey = 12_000;

/** The first characters of private keys in base64: PKCS#8 and PKCS#1, elliptic curves, OpenSSH. */
export const keyOpenings: readonly string[] = [
  "MIIC",
  "MIIE",
  "MIIJ",
  "MIIB",
  "MIIG",
  "MIIF",
  "MHcCAQEE",
  "MHQCAQEE",
  "MIGHAgEA",
  "MIGTAgEA",
  "MIHuAgEA",
  "MIGkAgEBBD",
  "MC4CAQAwBQ",
  "b3BlbnNzaC1rZXktdjE",
];
const bareKey =
  /(?:MII[A-Za-z0-9+/]{3}IBA[AD]|MII[A-Za-z0-9+/]{3}(?:BO|BX|Bf|BQ)[A-Za-z]gkqhkiG9w0BBQ|M(?:Hc|HQ)CAQEE|MI(?:GH|GT|Hu)AgEA|MIGkAgEBBD|MC4CAQAwBQ|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{20,}={0,2}/y;

/** A private key without PEM armour. */
export function findBareKey(text: string, at: number): Finding | undefined {
  // Checked first, so that a long run with many openings is not read again from each of them.
  if (/[A-Za-z0-9+/]/.test(text[at - 1] ?? " ")) return undefined;
  let end = take(bareKey, text, at);
  if (end === undefined) return undefined;
  for (;;) {
    const next: number | undefined = take(line, text, end);
    if (next === undefined) break;
    end = next;
  }
  return { start: at, end, kind: "private-key" };
}

const ending = /-{5}END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-{5}/y;

/** The end of a private key whose beginning is missing. */
export function findKeyTail(text: string, at: number): Finding | undefined {
  const end = take(ending, text, at);
  if (end === undefined) return undefined;
  const before = text.slice(Math.max(0, at - maxKey), at);
  const lines = before.split(/\n|\\n/);
  let start = at;
  for (let index = lines.length - 1; index >= 0; index--) {
    const content = lines[index] ?? "";
    if (
      index < lines.length - 1 &&
      !/[A-Za-z0-9+/]{16,}={0,2}["'+,|\s]*$|^["'+\s]*[A-Za-z0-9+/]{2,}={0,2}["'\s]*$/.test(content)
    )
      break;
    if (/BEGIN|\s[a-z]+\s/.test(content)) break;
    start -= content.length + (index < lines.length - 1 ? 1 : 0);
  }
  return start < at ? { start, end, kind: "private-key" } : undefined;
}

/** A private key in PEM or PGP armour, complete or cut off, with real or escaped line breaks. */
export function findPrivateKey(text: string, at: number): Finding | undefined {
  let end = take(opening, text, at);
  if (end === undefined) return undefined;
  if (end < text.length && take(header, text, end) === undefined && take(line, text, end) === undefined)
    return undefined;
  const rest = text.slice(end, end + maxKey);
  const close = closing.exec(rest);
  if (close !== null && !rest.slice(0, close.index).includes("BEGIN")) {
    return { start: at, end: end + close.index + close[0].length, kind: "private-key" };
  }
  for (;;) {
    const next: number | undefined = take(header, text, end) ?? take(line, text, end);
    if (next === undefined) break;
    end = next;
  }
  end = take(lastLine, text, end) ?? end;
  return { start: at, end, kind: "private-key" };
}

function take(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
