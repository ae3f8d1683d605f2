import { isSecretField } from "./judge-value.ts";
import { redactText } from "./redact-text.ts";
import { isPlaceholder } from "./secret-value.ts";
import { judgeName } from "./secret-name.ts";

interface RedactedValue {
  value: unknown;
  /** Number of removed secrets and private spans; our own injected blocks do not count. */
  hidden: number;
  /** Their kinds, each once, in alphabetical order. */
  kinds: string[];
}

interface Tally {
  hidden: number;
  kinds: Set<string>;
}

/** Deeper than any real payload; anything below is not checked, so it is dropped. */
const maxDepth = 200;
const headerName = /^(?:proxy-|x-)?(?:authorization|cookie|set-cookie)$/i;
const tooDeep = "[hidden:too-deep]";

/**
 * Redacts every string and key of a JSON value. A string under a key that names a secret is hidden regardless of its
 * form. Returns the same value if nothing was hidden.
 */
export function redactValue(value: unknown): RedactedValue {
  const tally: Tally = { hidden: 0, kinds: new Set() };
  const redacted = redactAny(value, "", 0, tally);
  return { value: redacted, hidden: tally.hidden, kinds: [...tally.kinds].toSorted() };
}

function redactAny(value: unknown, name: string, depth: number, tally: Tally): unknown {
  if (typeof value === "string") return redactString(value, name, tally);
  if (typeof value === "number") return redactNumber(value, name, tally);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return tooDeep;
  return Array.isArray(value) ? redactArray(value, name, depth, tally) : redactObject(value, depth, tally);
}

function redactString(text: string, name: string, tally: Tally): string {
  if (text === "") return text;
  const { text: redacted, hidden, kinds } = redactText(text);
  if (redacted === text && headerName.test(name) && !isPlaceholder(text.replace(/^\w+ /, "")))
    return hide("authorization", tally);
  const judged = name === "" ? undefined : judgeName(name);
  if (judged !== undefined && redacted === text && isSecretField(judged, text))
    return hide(judged.kind, tally);
  tally.hidden += hidden;
  for (const kind of kinds) tally.kinds.add(kind);
  return redacted;
}

function redactNumber(value: number, name: string, tally: Tally): unknown {
  const isPassword = Math.abs(value) >= 1000 && judgeName(name)?.strength === "password";
  return isPassword ? hide("password", tally) : value;
}

/** List items are judged by the list's name, and an argument by the flag before it. */
function redactArray(items: readonly unknown[], name: string, depth: number, tally: Tally): unknown[] {
  let changed = false;
  const out = items.map((item, index) => {
    const before = items[index - 1];
    const flag =
      typeof before === "string" && /^--?[A-Za-z]/.test(before) && !before.includes("=") ? before : name;
    const redacted = redactAny(item, flag, depth + 1, tally);
    changed ||= redacted !== item;
    return redacted;
  });
  return changed ? out : (items as unknown[]);
}

function redactObject(source: object, depth: number, tally: Tally): object {
  const entries = Object.entries(source);
  const paired = pairedName(source);
  let changed = false;
  const out = entries.map(([key, item]): [string, unknown] => {
    const name = paired !== undefined && /^value$/i.test(key) ? paired : key;
    const redacted = redactAny(item, name, depth + 1, tally);
    const safeKey = redactString(key, "", tally);
    changed ||= redacted !== item || safeKey !== key;
    return [safeKey, redacted];
  });
  return changed ? Object.fromEntries(out) : source;
}

/** `{ name: "DB_PASSWORD", value: "…" }`, as in lists of headers and environment variables. */
function pairedName(source: object): string | undefined {
  const { name, key, Name } = source as { name?: unknown; key?: unknown; Name?: unknown };
  return [name, key, Name].find((candidate) => typeof candidate === "string");
}

function hide(kind: string, tally: Tally): string {
  tally.hidden += 1;
  tally.kinds.add(kind);
  return `[secret:${kind}]`;
}
