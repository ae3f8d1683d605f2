import type { Finding } from "./finding.ts";
import { isRandom, isPlaceholder } from "./secret-value.ts";

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
