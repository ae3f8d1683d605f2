import type { Finding } from "./finding.ts";
import { isChosenWord } from "./judge-value.ts";
import { judgeName } from "./secret-name.ts";
import { isExpression, isMixed, isPlaceholder, isRandom } from "./secret-value.ts";

const userinfo = /\/\/([^\s/:@"'`<>\\?#]{0,256})(?::([^\s/"'`<>\\?#]{1,256}))?@(?=[^\s@])/y;

/** The password in a URL such as `postgres://user:password@host/db`; `at` is the colon before the slashes. */
export function findAddressPassword(text: string, at: number): Finding | undefined {
  userinfo.lastIndex = at + 1;
  const match = userinfo.exec(text);
  if (match === null) return undefined;
  const [whole, user = "", password] = match;
  const end = at + 1 + whole.length - 1;
  if (password !== undefined) {
    if (isReference(password)) return undefined;
    const both = /^[a-f0-9]{8,}$/i.test(user) || isRandom(user);
    return { start: end - password.length - (both ? user.length + 1 : 0), end, kind: "url-password" };
  }
  return isRandom(user) ? { start: end - user.length, end, kind: "url-token" } : undefined;
}

function isReference(password: string): boolean {
  return (
    /^[[<{$%*]/.test(password) ||
    /^[*x.]+$/i.test(password) ||
    (isPlaceholder(password) && /[^a-z]/i.test(password))
  );
}

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
    const isGenerated = /\d|[+/=_.-]/.test(value) || (match?.[1] !== undefined && /[a-z][A-Z]/.test(value));
    if (kind === "authorization" && !isGenerated) continue;
    return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, kind };
  }
  return undefined;
}

const flag = /--?([a-zA-Z][\w-]{1,60})[ \t]+(["'`]?)([^\s"'`\\-][^\s"'`\\]{2,512})/y;

/** The argument of a command-line flag that names a secret: `--password hunter2`. */
export function findFlag(text: string, at: number): Finding | undefined {
  flag.lastIndex = at;
  const match = flag.exec(text);
  const [, name = "", , value = ""] = match ?? [];
  const judged = judgeName(name);
  if (judged === undefined || isPlaceholder(value) || isExpression(value)) return undefined;
  const secret =
    judged.strength === "password"
      ? isMixed(value) || /[^a-z]/.test(value) || isChosenWord(value)
      : isRandom(value);
  return secret
    ? { start: flag.lastIndex - value.length, end: flag.lastIndex, kind: judged.kind }
    : undefined;
}
