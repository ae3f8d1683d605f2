import { findColumn } from "./columns.ts";
import type { Finding } from "./finding.ts";
import { looksLikePassword, isSecretValue, isSpokenValue } from "./judge-value.ts";
import { readNameBefore } from "./read-name.ts";
import { judgeName, type SecretName } from "./secret-name.ts";
import { countSwitches, isDigest, isRandom } from "./secret-value.ts";

/** Endings of names that denote a secret, used as triggers: rare letter pairs first. */
export const nameEndings: readonly string[] = [
  "sword",
  "SWORD",
  "sswd",
  "SSWD",
  "phrase",
  "PHRASE",
  "scode",
  "pwd",
  "PWD",
  "pass",
  "PASS",
  "Pass",
  "cret",
  "CRET",
  "oken",
  "OKEN",
  "key",
  "KEY",
  "Key",
  " pat",
  "_PAT",
  "Pat",
  "y_base",
  "Y_BASE",
  "y base",
];

const wrap = "[\"'`*)\\]]{0,3}?";
const place =
  "(?:[ \\t](?:for|of|on|in|at|to|from)(?:[ \\t][\\w.@%/'\"-]{1,40}){1,4}?|[ \\t]\\([^()\\n]{1,40}\\))";
const target = `${place}?`;
const verb =
  "(?:is|was|are|ist|lautet|es|est|è|é|will be|became|has been (?:set|changed|rotated) to|changed to|now|should be)";
const adverb = "(?:[ \\t]+(?:now|still|just|currently|set to|always))?";
const link = `(?:${target}[ \\t]+${verb}${adverb}:?|${place}[ \\t]{0,2}[:=]|[ \\t]{0,2}(?:→|->)|['’]s)`;
/** `the token for staging is X`, `password on that box: X`, `password → X`. */
const stated = new RegExp(`${wrap}${link}[ \\t]+(\\S{4,600})`, "iy");
/** `token (do not share) X`. */
const remarked = /[ \t]\([^()\n]{1,40}\)[ \t]+(\S{4,600})/y;
/** `set the password to "X"`, `password "X"`, `PASSWORD 'X'`. */
const quotedNext = new RegExp(
  `${wrap}${target}[ \\t]+(?:(?:to|as|with|of)[ \\t]+)?(["'\`][^\\s"'\`]{4,600}["'\`])`,
  "iy",
);
/** `get("#password").type("X")`. */
const typed =
  /["'`)\]\\]{1,6}\.(?:type|fill|send_keys|sendKeys|setValue|val|press_sequentially)\(\s{0,8}(["'`][^\s"'`]{4,600}["'`])/y;
/** `name      X` at the end of a line: a listing in columns. */
const column = /(?:[ \t]{2,60}|\t|[ \t]\.{3,60}[ \t]?)(\S{4,600})[ \t]{0,60}(?=\r?\n|$|\\n)/y;
/** `ENV NAME X`, `setx NAME X`, `git config a.token X`, `requirepass X`; with a level: `password 7 X`. */
const argument = /[ \t](?:\d[ \t])?(\S{6,600})/y;
/** `changed the password to X`. */
const changed = /[ \t](?:to|as|-|–)[ \t](\S{6,600})/y;
/** `gh secret set NAME --body X`, `--name /prod/token --type T --value X`, `type="password" value="X"`. */
const option =
  /["']?(?:[ \t]+(?!--(?:body|value|secret-string)\b)[\w-]{1,40}(?:[= ]["']?[^\s"'-][^\s"']{0,80}["']?)?){0,3}[ \t]+(?:--(?:body|value|secret-string)[= \t]+|value=)(\S{4,600})/y;
/** `use X as the password`, `try X for the token`, `X is the key`. */
const valueBefore =
  /(?:^|[\s("'`])([^\s("'`]{5,100})["'`]? (as|for|is) (?:(?:the|a|an|my|your|our|its|their) )?(?:[\w-]{1,20} ){0,3}$/;

const [tab, lineEnd, space, doubleQuote, singleQuote, star, comma, dot, backtick] = [
  9, 10, 32, 34, 39, 42, 44, 46, 96,
];
const linked = new Set([tab, space, doubleQuote, singleQuote, star, backtick]);
const ended = new Set([lineEnd, space, comma, dot]);
const cellEnds = new Set(Array.from("|,;\n\r", (sign) => sign.charCodeAt(0)));

/** A value tied to a name by words or columns instead of a separator. `end` is the end of the name. */
export function findSpoken(text: string, end: number): Finding | undefined {
  const next = text.charCodeAt(end);
  const isLinked = linked.has(next);
  const isEnded = end === text.length || ended.has(next);
  if (isLinked || cellEnds.has(next) || end === text.length) {
    const [first, ...more] = isCell(text, end) ? findColumn(text, end - 1) : [];
    if (first !== undefined) return { ...first, more };
  }
  // A letter continues the word, and a separator makes it an assignment.
  if (!isLinked && !isEnded) return undefined;
  const named = readNameBefore(text, end);
  const judged = named === undefined ? undefined : judgeName(named.name);
  if (named === undefined || judged === undefined) return undefined;
  const found =
    (isLinked
      ? findAfter(text, end, isVariable(named.name) || startsArgument(text, named.start), judged)
      : undefined) ?? (isEnded ? findBefore(text, named.start, judged) : undefined);
  return found === undefined ? undefined : { start: found.start, end: found.end, kind: judged.kind };
}

/** Whether a table cell may end here. */
function isCell(text: string, end: number): boolean {
  let at = end;
  while (at - end < 40 && (text[at] === " " || text[at] === '"' || text[at] === "\r")) at++;
  return at === text.length ? false : "|,;\t\n".includes(text[at] ?? " ");
}

interface Span {
  start: number;
  end: number;
}

function findAfter(text: string, at: number, isArgument: boolean, judged: SecretName): Span | undefined {
  const told =
    read(stated, text, at) ?? read(remarked, text, at) ?? read(quotedNext, text, at) ?? read(typed, text, at);
  if (told !== undefined && isSpokenValue(judged, told.value, told.quoted)) return told;
  const listed = read(column, text, at) ?? (isArgument ? read(argument, text, at) : undefined);
  if (listed !== undefined && isSpokenValue(judged, listed.value, false)) return listed;
  // `here is my key X`, `changed the password to X`: only the word order ties them, so the value must be
  // unmistakable.
  const next = read(changed, text, at) ?? read(argument, text, at);
  if (next !== undefined && isGenerated(next.value)) return next;
  if (next !== undefined && judged.strength === "password" && looksLikePassword(next.value)) return next;
  // The pattern is slow, so the literals are looked for first.
  const ahead = text.slice(at, at + 240);
  if (!ahead.includes("value") && !ahead.includes("--")) return undefined;
  const given = read(option, text, at);
  return given !== undefined && isSecretValue(judged, given.value, "line") ? given : undefined;
}

function isGenerated(value: string): boolean {
  return isRandom(value) && !isDigest(value) && countSwitches(value) >= 4 && /^[\w+=-]+$/.test(value);
}

function findBefore(text: string, nameStart: number, judged: SecretName): Span | undefined {
  const from = Math.max(0, nameStart - 180);
  const before = text.slice(from, nameStart);
  const match = / (?:as|for|is) /.test(before) ? valueBefore.exec(before) : null;
  const value = match?.[1];
  if (match === null || value === undefined || !isSpokenValue(judged, value, false)) return undefined;
  // `for` and `is` also follow other words.
  if (match[2] !== "as" && value.length < 8) return undefined;
  const start = from + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}

/** The value at the end of a match, without quotes and trailing punctuation. */
function read(
  pattern: RegExp,
  text: string,
  at: number,
): (Span & { value: string; quoted: boolean }) | undefined {
  pattern.lastIndex = at;
  const raw = pattern.exec(text)?.[1];
  if (raw === undefined) return undefined;
  const quoted = /^[*_(]{0,2}(["'`])([^"'`]{3,600})\1/.exec(raw);
  const lead =
    quoted === null
      ? (/^["'`*(“‘«„]{0,3}/.exec(raw)?.[0].length ?? 0)
      : quoted[0].length - (quoted[2]?.length ?? 0) - 1;
  const value = quoted?.[2] ?? raw.slice(lead).replace(/["'`*)>.,;:?”’»]{1,6}$/, "");
  const start = pattern.lastIndex - raw.length + lead;
  return { start, end: start + value.length, value, quoted: quoted !== null };
}

/** `DB_PASSWORD` or `acme.token`: identifiers, which prose does not use as words. */
function isVariable(name: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) ||
    /^[a-z][a-z0-9]*[._-][\w.-]+$/i.test(name) ||
    /^[a-z]+[A-Z]/.test(name)
  );
}

/** A flag, or the first word of a line, as in configuration files. */
function startsArgument(text: string, start: number): boolean {
  const before = text[start - 1];
  return before === undefined || before === "\n" || (text[start] === "-" && before === " ");
}

/** Stems, so that inflected forms match. The first letter is left out in languages that write compounds as one word. */
const passwordWords = [
  "asswort",
  "ennwort",
  "ugangsdaten",
  "contraseña",
  "Contraseña",
  "clave",
  "Clave",
  "mot de passe",
  "Mot de passe",
  "mdp",
  "MDP",
  "senha",
  "Senha",
  "palavra-passe",
  "Palavra-passe",
  "парол",
  "Парол",
  "ПАРОЛ",
  "密码",
  "密碼",
  "口令",
  "パスワード",
  "暗証番号",
  "비밀번호",
  "비번",
  "암호",
  "패스워드",
  "wachtwoord",
  "hasło",
  "parola",
  "lösenord",
];
const keyWords = [
  "токен",
  "Токен",
  "ключ",
  "Ключ",
  "令牌",
  "密钥",
  "密鑰",
  "トークン",
  "キー",
  "토큰",
  " 키",
  "jeton",
  "clé",
  "chave",
  "chlüssel",
  "llave",
];
const passwordName: SecretName = { strength: "password", kind: "password" };
const keyName: SecretName = { strength: "random", kind: "token" };
export const foreignWords: ReadonlyMap<string, SecretName> = new Map([
  ...passwordWords.map((word) => [word, passwordName] as const),
  ...keyWords.map((word) => [word, keyName] as const),
]);
/** Words that are also the endings of other words, such as "enclave". */
const wholeWords = new Set(["clave", "mdp", "MDP", "senha", "clé", "chave", "llave", "jeton", "parola"]);

const quoteMarks = "\"'`«»“”„「」『』";
const foreignLink = [
  "\\s?[::=]\\s{0,4}",
  "[ \\t]+(?:is|ist|lautet|war|wurde|auf|es|est|é|era|è|jest|är|это|будет|теперь|на|—|–|-)(?:[ \\t]+(?:jetzt|ahora|agora|maintenant|теперь|auf))?:?[ \\t]+",
  "[はが是为為][ \\t]*",
  "(?:은|는|이|가)[ \\t]+",
].join("|");
const foreignValue = new RegExp(
  `[^\\n\\r::="'\`]{0,40}?(?:${foreignLink})[${quoteMarks}]?[ \\u00a0]?([^\\s${quoteMarks},,。;;]{4,160})`,
  "y",
);
/** `пароль от сервера X`, `密码 X`: only the word order ties them. */
const foreignNext = new RegExp(
  `\\p{L}{0,3}(?:[ \\t]+\\p{L}{1,12}){0,2}?[ \\t]+((?=\\S{0,60}\\d)[!-~]{6,160})`,
  "uy",
);
/** `X als Passwort`, `X como contraseña`, `X 作为密码`. */
const foreignBefore = new RegExp(
  `(?:^|[\\s${quoteMarks}])([^\\s${quoteMarks}]{5,100})[${quoteMarks}]?[ \\t]?(?:als|como|comme|como a|как|в качестве|作为|作為|を|을|를)(?:[ \\t]\\p{L}{1,12}){0,2}[ \\t]?\\p{L}{0,12}$`,
  "u",
);
const beforeCue = /als|com|как|кач|作|を|을|를/;

/**
 * `Das Passwort lautet X`, `пароль: X`, `密码是 X`, `X als Passwort`: the word for a password or key in another
 * language, which starts at `at`, and the value.
 */
export function findForeign(
  text: string,
  at: number,
  { word, judged }: { word: string; judged: SecretName },
): Finding | undefined {
  if (wholeWords.has(word) && /\p{L}/u.test(text[at - 1] ?? " ")) return undefined;
  const end = at + word.length;
  for (const [pattern, isTied] of [
    [foreignValue, true],
    [foreignNext, false],
  ] as const) {
    if (!isTied && judged.strength !== "password") continue;
    const found = readForeign(pattern, text, end);
    if (found === undefined || !isSpokenValue(judged, found.value, false)) continue;
    if (isTied || looksLikePassword(found.value))
      return { start: found.start, end: found.end, kind: judged.kind };
  }
  const from = Math.max(0, at - 140);
  const before = text.slice(from, at);
  const match = beforeCue.test(before.slice(-40)) ? foreignBefore.exec(before) : null;
  const value = match?.[1];
  if (match === null || value === undefined || !isSpokenValue(judged, value, false)) return undefined;
  const start = from + match.index + match[0].indexOf(value);
  return { start, end: start + value.length, kind: judged.kind };
}

/** The value at the end of a match, without trailing punctuation and a Japanese or Korean ending. */
function readForeign(pattern: RegExp, text: string, at: number): (Span & { value: string }) | undefined {
  pattern.lastIndex = at;
  const raw = pattern.exec(text)?.[1];
  if (raw === undefined) return undefined;
  const start = pattern.lastIndex - raw.length;
  const value = raw.replace(/[\u3040-\u30ff\uac00-\ud7af]{1,8}[.。]?$/, "").replace(/[.,:?)]{1,6}$/, "");
  return { start, end: start + value.length, value };
}
