import type { Finding } from "./finding.ts";
import { isSecretValue, isSpokenValue } from "./judge-value.ts";
import { readNameBefore } from "./read-name.ts";
import { judgeName, type SecretName } from "./secret-name.ts";

/** The ends of names that speak of a secret, as triggers: rare pairs of letters first. */
export const nameEndings: readonly string[] = [
  ...["sword", "SWORD", "sswd", "SSWD", "phrase", "PHRASE", "pwd", "PWD", "_pass", "_PASS", "-pass", "Pass"],
  ...[
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
  ],
];

const wrap = "[\"'`*)\\]]{0,3}";
const target = "(?:[ \\t](?:for|of|on|in|at|to|from)(?:[ \\t][\\w.@/'\"-]{1,40}){1,4}?)?";
const verb = "(?:is|was|are|will be|became|has been (?:set|changed|rotated) to|changed to|now|should be)";
const adverb = "(?:[ \\t]+(?:now|still|just|currently|set to|always))?";
/** `the token for staging is X`. */
const stated = new RegExp(`${wrap}${target}[ \\t]+${verb}${adverb}:?[ \\t]+(\\S{4,600})`, "y");
/** `set the password to "X"`, `password "X"`, `PASSWORD 'X'`. */
const quotedNext = new RegExp(
  `${wrap}${target}[ \\t]+(?:(?:to|as|with|of)[ \\t]+)?(["'\`][^\\s"'\`]{4,600}["'\`])`,
  "y",
);
/** `name      X` with nothing after it: a listing in columns. */
const column = /(?:[ \t]{2,60}|\t)(\S{4,600})[ \t]{0,60}(?=\r?\n|$|\\n)/y;
/** `ENV NAME X`, `setx NAME X`, `git config a.token X`. */
const argument = /[ \t](\S{6,600})/y;
/** `gh secret set NAME --body X`, `--name /prod/token --type T --value X`, `type="password" value="X"`. */
const option =
  /["']?(?:[ \t]+(?!--(?:body|value|secret-string)\b)[\w-]{1,40}(?:[= ]["']?[^\s"'-][^\s"']{0,80}["']?)?){0,3}[ \t]+(?:--(?:body|value|secret-string)[= \t]+|value=)(\S{4,600})/y;
/** `use X as the password`. */
const valueBefore =
  /(?:^|[\s("'`])([^\s("'`]{5,100})["'`]? as (?:(?:the|a|an|my|your|our|its|their) )?(?:[\w-]{1,20} ){0,3}$/;

const [tab, lineEnd, space, doubleQuote, singleQuote, star, comma, dot, backtick] = [
  9, 10, 32, 34, 39, 42, 44, 46, 96,
];
const linked = new Set([tab, space, doubleQuote, singleQuote, star, backtick]);
const ended = new Set([lineEnd, space, comma, dot]);

/** A value that words or columns tie to a name, instead of a separator. `end` is where the name ends. */
export function findSpoken(text: string, end: number): Finding | undefined {
  const next = text.charCodeAt(end);
  const isLinked = linked.has(next);
  const isEnded = end === text.length || ended.has(next);
  // A letter continues the word, and a separator makes an assignment.
  if (!isLinked && !isEnded) return undefined;
  const named = readNameBefore(text, end);
  const judged = named === undefined ? undefined : judgeName(named.name);
  if (named === undefined || judged === undefined) return undefined;
  const found =
    (isLinked ? findAfter(text, end, named.name, judged) : undefined) ??
    (isEnded ? findBefore(text, named.start, judged) : undefined);
  return found === undefined ? undefined : { start: found.start, end: found.end, kind: judged.kind };
}

interface Span {
  start: number;
  end: number;
}

function findAfter(text: string, at: number, name: string, judged: SecretName): Span | undefined {
  const told = read(stated, text, at) ?? read(quotedNext, text, at);
  if (told !== undefined && isSpokenValue(judged, told.value, told.quoted)) return told;
  const listed = read(column, text, at) ?? (isVariable(name) ? read(argument, text, at) : undefined);
  if (listed !== undefined && isSpokenValue(judged, listed.value, false)) return listed;
  const given = read(option, text, at);
  return given !== undefined && isSecretValue(judged, given.value, "line") ? given : undefined;
}

function findBefore(text: string, nameStart: number, judged: SecretName): Span | undefined {
  const from = Math.max(0, nameStart - 180);
  const before = text.slice(from, nameStart);
  const match = before.includes(" as ") ? valueBefore.exec(before) : null;
  const value = match?.[1];
  if (match === null || value === undefined || !isSpokenValue(judged, value, false)) return undefined;
  const start = from + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}

/** The value that a pattern ends with, without its quotes and the punctuation of the sentence. */
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
      ? (/^["'`*(]{0,3}/.exec(raw)?.[0].length ?? 0)
      : quoted[0].length - (quoted[2]?.length ?? 0) - 1;
  const value = quoted?.[2] ?? raw.slice(lead).replace(/["'`*)>.,;:?]{1,6}$/, "");
  const start = pattern.lastIndex - raw.length + lead;
  return { start, end: start + value.length, value, quoted: quoted !== null };
}

/** `DB_PASSWORD` or `acme.token`: names of programs, which prose does not use as words. */
function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) || /^[a-z][\w-]*[._][\w.-]+$/i.test(name);
}

const passwordWords = [
  ...[
    "asswort",
    "ennwort",
    "contraseña",
    "Contraseña",
    "clave",
    "Clave",
    "mot de passe",
    "Mot de passe",
    "senha",
  ],
  ...[
    "Senha",
    "пароль",
    "Пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "wachtwoord",
    "hasło",
    "parola",
    "lösenord",
  ],
];
const keyWords = [
  ...[
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
    "jeton",
    "clé",
    "chave",
  ],
  ...["chlüssel", "llave"],
];
const passwordName: SecretName = { strength: "password", kind: "password" };
const keyName: SecretName = { strength: "random", kind: "token" };
export const foreignWords: ReadonlyMap<string, SecretName> = new Map([
  ...passwordWords.map((word) => [word, passwordName] as const),
  ...keyWords.map((word) => [word, keyName] as const),
]);

const foreignValue =
  /[^\n\r::="'`]{0,40}?(?:\s?[::=]\s{0,4}|[ \t]+(?:is|ist|lautet|war|wurde|es|est|é|era|è|jest|är|это|будет|теперь|—|–|-)(?:[ \t]+(?:jetzt|ahora|agora|maintenant|теперь))?:?[ \t]+|[はが是为為][ \t]*|(?:은|는)[ \t]+)["'`«“「『]?([^\s"'`»”」』,,。;;]{4,200})/y;

/** `Das Passwort lautet X`, `пароль: X`, `密码是 X`: the word for a password in another language, then the value. */
export function findForeign(text: string, end: number, judged: SecretName): Finding | undefined {
  foreignValue.lastIndex = end;
  const value = foreignValue.exec(text)?.[1]?.replace(/[.,:?)]{1,6}$/, "");
  if (value === undefined || !isSpokenValue(judged, value, false)) return undefined;
  const start = text.indexOf(value, foreignValue.lastIndex - 210 > end ? foreignValue.lastIndex - 210 : end);
  return { start, end: start + value.length, kind: judged.kind };
}
