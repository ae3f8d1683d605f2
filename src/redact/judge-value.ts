import type { SecretName } from "./secret-name.ts";
import {
  countSwitches,
  isDigest,
  isExpression,
  isMixed,
  isRandom,
  isPlaceholder,
  isUuid,
} from "./secret-value.ts";

/**
 * How a value was written: `NAME=value` in an environment, `Name=value;` in a connection string, on a line of its own,
 * in quotes, at the end of a line that begins with something else, or within code. The looser the form, the more the
 * value itself must look like a secret.
 */
export type Form = "quoted" | "environment" | "list" | "line" | "tail" | "bare";

const maxNamed = 8192;

const isLoose = (form: Form): boolean => form === "bare" || form === "tail";

/** Whether a value written after a name is a secret, not a placeholder, a label or code. */
export function isSecretValue(judged: SecretName, value: string, form: Form): boolean {
  if (value.length < 3) return false;
  if (isPlaceholder(value) && !(judged.strength === "password" && value === "secret")) return false;
  if (form !== "quoted" && isExpression(value)) return false;
  switch (judged.strength) {
    case "password":
      return isPassword(value, form);
    case "pass":
      return (
        isPassword(value, form) &&
        (form === "quoted" || form === "list" || /\d.*[^\w.]|[^\w.].*\d/.test(value))
      );
    case "credential":
      return isCredential(value, form);
    case "token":
      return isCredential(value, form) || (!isLoose(form) && /^\d{12,}$/.test(value));
    case "random":
      // An inner `=` starts another assignment.
      return !/\s|=[A-Za-z0-9]/.test(value) && isRandom(value);
    case "opaque":
      return isOpaque(value, form);
    default:
      return form === "quoted" && /;\s*(?:pwd|password|accountkey|sharedaccesskey)\s*=/i.test(value);
  }
}

/** The same for a field of a JSON value: names there are never code, so a single word is a value. */
export function isSecretField(judged: SecretName, value: string): boolean {
  if (value.length > maxNamed || value.trim() === "" || isPlaceholder(value) || isExpression(value))
    return false;
  switch (judged.strength) {
    case "password":
    case "pass":
      return !value.includes("://") && !isLabel(value);
    case "address":
      return !value.includes("://");
    case "credential":
      return value.length >= 6 && !/\s/.test(value.trim());
    default:
      return isSecretValue(judged, value, "quoted");
  }
}

function isPassword(value: string, form: Form): boolean {
  switch (form) {
    case "environment":
      return true;
    case "quoted":
      if (value.length > 200 || /[<>{}()]{2}/.test(value) || isLabel(value)) return false;
      return !/\s/.test(value) || isMixed(value) || /^[a-z]+ [a-z]+$/.test(value);
    case "list":
      return value.length >= 4;
    case "line":
      // Mail providers generate app passwords of 16 letters.
      return value.length >= 4 && (isMixed(value) || isChosenWord(value) || /[^\w.]|^[a-z]{16}$/.test(value));
    default:
      if (form === "tail" && isChosenWord(value)) return true;
      return value.length >= 6 && isMixed(value) && !/^[A-Za-z_]+\d?$|:$/.test(value);
  }
}

/**
 * Whether a single word is more likely a password that a person chose than text about a password: its state, its type,
 * where it comes from. Names of types and of variables have capitals.
 */
export function isChosenWord(value: string): boolean {
  return /^[a-z]{6,24}$/.test(value) && !plainEnding.test(value) && !plainWords.has(value);
}

/** `password: rotated`, `password: missing`, `password: nullable`, `password: authentication`. */
const plainEnding = /(?:ed|ing|able|ible|tion|sion|ment|ity|ance|ence|less|string|text|hash)$/;
const plainWords = new Set(
  [
    "accept access account actual admins always answer anything argument before binary blanks broken cannot changes",
    "characters chosen client column config configs confirm content contains context control correct current custom",
    "database default denied depends digits domain either encode entity enough errors everything example exists",
    "external failure fallback fields filter filler format forget forgot forgotten frozen function generate global",
    "granted header helper holder ignore import inherit initial inline inputs insert invalid incorrect instead issues",
    "keychain keyring keyword keywords labels passwords leaked length letter letters locale locked lookup managed manager manual matches",
    "maximum member method middle minimum missing mismatch module needed needs neither never nobody nothing normal",
    "number numbers object office online option options origin output params parameter passes passport person phrase",
    "please policy private prompt prompts property public quoted random reason record refuse regexp remote removed",
    "remove replace request require requires result results return returns router routes rotate sample scheme schema",
    "script secret secrets secure select server service session setting settings shared should simple single source",
    "stdin stored strong stronger switch symbol symbols system tagged tables target template temporary tested these",
    "thrown toggle tokens traits unique unknown update updates upload unless unsafe unset useful usernames users using",
    "validate validator values variable varchar vaults verify version visible weaker weakest without wrapper written",
    "wrongly yields zeroes alphanumeric asterisk environment identical interactive numeric obsolete",
    "sensitive confidential somewhere something someone elsewhere undefined unchanged forbidden",
    "automatically correctly currently directly externally internally manually randomly securely separately handle",
    "weakness unproven broken spoken stolen integer boolean nullish nvarchar uppercase lowercase",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Whether a value mentioned in a sentence is a secret: any word can follow the name, so it must look like a password
 * or random.
 */
export function isSpokenValue(judged: SecretName, value: string, quoted: boolean): boolean {
  if (value.length < 4 || isFieldList(value)) return false;
  if (isPlaceholder(value) || isExpression(value) || isUrl(value)) return false;
  switch (judged.strength) {
    case "password":
      if (quoted && !isLabel(value)) return isMixed(value) || /[a-z][A-Z]|[^\w.]/.test(value);
      return (
        isMixed(value) &&
        /\d/.test(value) &&
        value.length >= 5 &&
        !algorithm.test(value) &&
        !version.test(value)
      );
    case "credential":
    case "token":
      return isRandom(value) || isUuid(value) || (value.length >= 8 && countSwitches(value) >= 4);
    case "random":
      return isRandom(value);
    case "opaque":
      return isRandom(value) && !isDigest(value);
    default:
      return false;
  }
}

/**
 * Whether a value is unmistakably a password that a person chose: upper and lower case, and two digits or a symbol.
 */
export function looksLikePassword(value: string): boolean {
  if (value.length < 6 || value.length > 64 || !/^[\w!@#$%^&*+=?~.-]+$/.test(value)) return false;
  if (algorithm.test(value) || version.test(value) || /\.[a-z]{1,5}$|^[A-Z]+-\d+$/.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && /\d.*\d|[!@#$%^&*]/.test(value);
}

const algorithm =
  /^(?:bcrypt|argon|pbkdf|sha|md5|scrypt|hmac|aes|rsa|base|utf|oauth|totp|keychain|vault|pkcs|ed25519|x509|http)[\w-]*$/i;
const version = /^v?\d+(?:[.:/-]\d+)+$|^v?\d{1,5}$|^\d+[a-z]{1,3}$/i;

function isUrl(value: string): boolean {
  return /^(?:[a-z]+:\/\/|[.~]?\/)/i.test(value);
}

const labelWord =
  /\b(?:pass\w*|enter|your|please|invalid|must|new|old|confirm|forgot\w*|reset|too|show|hide|not|required|least|characters?|short|long|match\w*|expired|incorrect|wrong|empty|missing|is|are|the|to|for)\b/i;

/** Whether a value is text about a password, not a password: a label, a rule, an error. */
function isLabel(value: string): boolean {
  return /\s/.test(value) && labelWord.test(value);
}

function isCredential(value: string, form: Form): boolean {
  if (value.length < 8 || /\s/.test(value)) return false;
  if (form === "environment" || isUuid(value) || isRandom(value)) return true;
  if (form === "quoted" && value.length <= 120 && /^[^#.\s][^\s/]*[#!@$%^&*?][^\s/]*$/.test(value))
    return true;
  if (value.length > 80 || value.includes("/") || !isMixed(value) || !/\d/.test(value)) return false;
  return isLoose(form) ? countSwitches(value) >= 3 : !/^[a-z]+(?:[-_. ][a-z]+)*[-_.]?\d{0,3}$/i.test(value);
}

/** A bare `key` can name anything: a value that looks like a digest is treated as one, except in an environment. */
function isOpaque(value: string, form: Form): boolean {
  if (isFieldList(value)) return false;
  const looksGenerated =
    isRandom(value) || (form === "quoted" && value.length >= 12 && countSwitches(value) >= 4);
  if (/[\s{}]/.test(value) || !looksGenerated) return false;
  // `linux-node-<hash>`: cache keys consist of words and a digest.
  if (
    isDigest(value.replace(/^(?:[A-Za-z]+-)+/, "")) &&
    form !== "environment" &&
    !(form === "quoted" && /^[a-f0-9]{32}$/.test(value))
  )
    return false;
  return !value.includes("/") || countSwitches(value) >= 6;
}

/** Three colons make a list of fields. Checked before anything slow, because each field is judged again. */
function isFieldList(value: string): boolean {
  return /:[^:]*:[^:]*:/.test(value);
}
