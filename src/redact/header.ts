import type { Finding } from "./finding.ts";
import { isPlaceholder } from "./secret-value.ts";

const authorization =
  /(?:proxy-)?authorization["'`\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}["'`\\]{0,4}([A-Za-z][\w-]{0,20}[ \t]+)?([^\s"'`\\,;<>[\]{}()$][^\s"'`\\<>[\]{}]{3,4096})/iy;
const cookie =
  /(?:set-)?cookie["'`\\]{0,4}[ \t]{0,4}:[ \t]{0,4}["'`\\]{0,4}([\w.%$-]{1,100}=[^\n\r"'`\\<>[\]{}]{4,8192})/iy;

/** The value of an Authorization or Cookie header; `at` is the first letter of its name. */
export function findHeader(text: string, at: number): Finding | undefined {
  for (const [pattern, kind] of [
    [authorization, "authorization"],
    [cookie, "cookie"],
  ] as const) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const value = match?.at(-1);
    if (
      value === undefined ||
      isPlaceholder(value) ||
      /^(?:bearer|basic|token|required|header|undefined|null)\b/i.test(value)
    )
      continue;
    const isDrawn = /\d|[+/=_.-]/.test(value) || (match?.[1] !== undefined && /[a-z][A-Z]/.test(value));
    if (kind === "authorization" && !isDrawn) continue;
    return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, kind };
  }
  return undefined;
}
