/** What people write where a secret would be: nothing is lost by keeping it, and much by hiding it. */
const placeholderText =
  /^(?:[x*.•#_-]+|[\^~<>=v ]*\d+(?:\.\d+)+[\w.-]*|<.*>?|\[.*|\$.*|%[\w-]+%?|\{\{.*|@\w+@|#\{.*|!.{0,3}|an?[-_ ][a-z_ -]+|(?:your|my|the|some|insert|enter|put|add|replace|change|example|sample|dummy|fake|placeholder)[-_ ].*|change_?me.*|redacted.*|hidden|masked|none|null|nil|undefined|true|false|yes|no|on|off|empty|unset|required|optional|default|todo|tbd|n\/a|string|number|boolean|bool|bytes?|buffer|object|any|unknown|never|void|char|text|str|int|u?int(?:8|16|32|64)(?:array)?|[iuf](?:8|16|32|64|128|size)|float(?:32|64)(?:array)?|array|list|dict|option|self|this|password|passwd|secret|token|key|apikey|api[-_ ]key|credentials?|auth|bearer|basic|oauth2?|jwt|utf-?8|ascii|base64|hex|sha-?\d+|md5|bcrypt|argon2\w*|aes[-\w]*|rsa[-\w]*|hs256|rs256|es256)$/i;

/** Code that fetches a value, and does not hold one. */
const expression =
  /^(?:process\.env|os\.environ|os\.getenv|getenv|env[.([]|import\.meta|System\.|Deno\.|Bun\.|ctx\.|config\.|settings\.|secrets\.|vars\.|var\.|local\.|data\.|args\.|opts\.|options\.|params\.|props\.|req\.|request\.|res\.|self\.|this\.|vault:|op:\/\/|arn:|ref\+|file:|keyring:|ssm:|projects\/|new |await |async |function|\(|=>)|[({[]|\)$|=>|^&?\w+(?:(?:\.|::|->)[A-Za-z_]\w*)+$/;

/** True if the value only stands for a secret: a placeholder, a reference, a type, an expression. */
export function isPlaceholder(value: string): boolean {
  return (
    placeholderText.test(value) ||
    value.includes("${") ||
    value.includes("[secret:") ||
    value.includes("[private]") ||
    isMask(value)
  );
}

export function isExpression(value: string): boolean {
  return expression.test(value);
}

/** True if the value was hidden already, by us or by another tool. */
export function isMask(value: string): boolean {
  if (value.includes("[secret:") || value.includes("[private]")) return true;
  return /^(.)\1*$/.test(value) || /^.{0,8}(?:\*{3,}|\.{3,}|…|x{6,}|X{6,}).{0,4}$/.test(value);
}

/** Bits per character. */
function measureEntropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** True if a value was drawn by a machine rather than written by a person. */
export function isRandom(value: string): boolean {
  if (value.length < 16 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^(?:sha\d+|md5)[-:]/i.test(value) || value.startsWith("data:")) return false;
  const sample = value.length > 256 ? value.slice(0, 256) : value;
  if (measureEntropy(sample) < (/^[a-f0-9-]+$/i.test(sample) ? 2.8 : 3.3)) return false;
  return !readsLikeWords(sample);
}

/** Words joined by dashes, dots, slashes or case: a person's name for something, even if a number is in it. */
function readsLikeWords(value: string): boolean {
  const parts = value
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/)
    .filter(Boolean);
  const words = parts.filter(
    (part) => /^(?:[A-Za-z][a-z]{2,}|[A-Z]{3,})$/.test(part) && /[aeiouy]/i.test(part),
  );
  let lettersInWords = 0;
  for (const part of words) lettersInWords += part.length;
  return lettersInWords >= value.length * 0.6 && countSwitches(value) <= Math.max(2, value.length / 10);
}

/** How often letters and digits take turns: seldom in what people write, all the time in what machines draw. */
export function countSwitches(value: string): number {
  return value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
}

/** A git hash, a digest or a UUID: opaque, and public by nature. */
export function isDigest(value: string): boolean {
  return (
    /^(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128}|[a-f0-9]{7,12})$/i.test(value) ||
    isUuid(value)
  );
}

export function isUuid(value: string): boolean {
  return /^[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}$/i.test(value);
}

/** Letters with a digit or a sign among them: no word of a language, and no identifier. */
export function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value)
    ? /[\d!@#$%^&*+=?~|]/.test(value)
    : /^\d{4,}$/.test(value) || /[\W_]\d|\d[\W_]/.test(value);
}
