import type { Finding } from "./finding.ts";

const opening = /-{4,5} ?BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?/y;
const header = /(?:\s|\\[nr])*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|X-[\w-]+): [^\n\\]{0,200}/y;
const line = /(?:\s|\\+[nr]|["'+,|>`])*[A-Za-z0-9+/=]{16,}/y;
const lastLine = /(?:\s|\\+[nr]|["'+,|>`])*[A-Za-z0-9+/]{1,76}={0,2}(?=[\s\\"'`]*(?:-----END|$))/y;
const closing = /-{4,5} ?(?:END[ A-Z0-9_-]{1,60})?KEY(?: BLOCK)?-{4,5}/;
const longestKey = 12_000;

/** A private key in PEM or PGP armour, whole or cut off, with real or escaped line ends. */
export function findPrivateKey(text: string, at: number): Finding | undefined {
  let end = take(opening, text, at);
  if (end === undefined) return undefined;
  if (end < text.length && take(header, text, end) === undefined && take(line, text, end) === undefined)
    return undefined;
  const rest = text.slice(end, end + longestKey);
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
