const name = 1;
const space = 2;
const wrap = 4;

const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[\w.$-]/.test(character)) classes[code] = name;
  else if (character === " " || character === "\t") classes[code] = space;
  else if (/["'`\]\\?!*]/.test(character)) classes[code] = wrap;
}

const maxName = 80;
const typeName = /^(?:string|str|String|Text|char|SecretStr|std|text|bytes|any|object|auto|\[?byte\]?)$/;

function classAt(text: string, index: number): number {
  if (index < 0) return 0;
  const code = text.charCodeAt(index);
  return code < 128 ? (classes[code] ?? 0) : 0;
}

/**
 * Reads the name before a separator backwards, across spaces, quotes, brackets, escapes and a type annotation
 * (`password: string = …`). Also returns its start; undefined if there is no name.
 */
export function readNameBefore(text: string, separator: number): { name: string; start: number } | undefined {
  let end = separator;
  for (let skipped = 0; skipped < 40 && classAt(text, end - 1) === space; skipped++) end--;
  for (let skipped = 0; skipped < 6 && (classAt(text, end - 1) & (space | wrap)) !== 0; skipped++) end--;
  if (classAt(text, end - 1) !== name) return undefined;
  let start = end;
  while (end - start < maxName && classAt(text, start - 1) === name) start--;
  if (text[start - 1] === "\\" && end - start > 1 && "nrt".includes(text[start] ?? " ")) start++;
  const found = text.slice(start, end);
  if (found.length > 9 && found !== "ParameterValue") return { name: found, start };
  if (/^(?:keys?|tokens?|pass|pat|auth|base)$/i.test(found))
    return { name: wordBefore(text, start) + found, start };
  if (/^\d{1,2}$/.test(found) && text[start - 1] === " ") return readNameBefore(text, start - 1);
  if (/^(?:value|default|string|ParameterValue)$/i.test(found)) {
    const paired = readPairedName(text, start);
    if (paired !== undefined) return paired;
  }
  return typeName.test(found)
    ? (readNameBefore(text, start - spaceOrColonBefore(text, start)) ?? { name: found, start })
    : { name: found, start };
}

const article =
  /^(?:the|an?|this|that|my|your|our|its|his|her|their|new|old|is|each|same|per|and|or|for|of|in|to|by|with|as|no|any|one|if|when|only|right|wrong|correct|tests?|from|at|on|into|onto|via|use|using|has|get|set|add|every|which|what|then|than|its|unknown|found|missing|restored|saved)$/i;

/** `deploy key: …` in prose: the previous word is part of the name. */
function wordBefore(text: string, start: number): string {
  if (text[start - 1] !== " ") return "";
  const word = /(?:^|[^\w.-])([A-Za-z]{2,20}) $/.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  return word === undefined || article.test(word) ? "" : `${word}_`;
}

function spaceOrColonBefore(text: string, start: number): number {
  return text[start - 1] === ":" ? 1 : text[start - 1] === " " && text[start - 2] === ":" ? 2 : 0;
}

const pair =
  /(?:key|name|variable)(?:["'\\]{0,4}\s{0,4}[:=]\s{0,4}|\s|>)["'\\]{0,4}([\w./-]{1,80})(?:["'\\]{0,4}(?:,|\s|\\n){1,40}|["'\\]{0,4}\s\{\s|<\/[Kk]ey>\s{0,40}<)(?:["'\\]{0,4}\w{1,20}["'\\]{0,4}\s{0,6}[:=]\s{0,6}["'\\]{0,4}\w{1,30}["'\\]{0,4}(?:,|\s|\\n){1,40}){0,2}["'\\]{0,4}\s{0,40}$/i;

/** `name: DB_PASSWORD, value: …`: the value's name is given just before it. */
function readPairedName(text: string, start: number): { name: string; start: number } | undefined {
  const before = text.slice(Math.max(0, start - 200), start);
  const found = pair.exec(before)?.[1] ?? readBlockName(text, start);
  return found === undefined ? undefined : { name: found.slice(found.lastIndexOf("/") + 1), start };
}

/** `variable "db_password" { … default = …`: a Terraform block names its value, whatever attributes come between. */
function readBlockName(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - 600), start);
  const open = before.lastIndexOf("{");
  if (open === -1 || before.includes("}", open)) return undefined;
  return /\b(?:variable|output)[ \t]+"([\w-]{1,80})"[ \t]*$/.exec(
    before.slice(Math.max(0, open - 110), open),
  )?.[1];
}
