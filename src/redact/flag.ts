import type { Finding } from "./finding.ts";
import { judgeName } from "./secret-name.ts";
import { isExpression, isMixed, isRandom, isPlaceholder } from "./secret-value.ts";

const flag = /--?([a-zA-Z][\w-]{1,60})[ \t]+(["'`]?)([^\s"'`\\-][^\s"'`\\]{2,512})/y;

/** The argument of a command-line flag that names a secret: `--password hunter2`. */
export function findFlag(text: string, at: number): Finding | undefined {
  flag.lastIndex = at;
  const match = flag.exec(text);
  const [, name = "", , value = ""] = match ?? [];
  const judged = judgeName(name);
  if (judged === undefined || isPlaceholder(value) || isExpression(value)) return undefined;
  const secret = judged.strength === "password" ? isMixed(value) || /[^a-z]/.test(value) : isRandom(value);
  return secret
    ? { start: flag.lastIndex - value.length, end: flag.lastIndex, kind: judged.kind }
    : undefined;
}
