import type { Finding } from "./finding.ts";
import { isSecretValue } from "./judge-value.ts";
import { readNameBefore } from "./read-name.ts";
import { judgeName, type SecretName } from "./secret-name.ts";

const maxLine = 400;
const maxRows = 200;
const rule = /^[\s|+:=-]+$/;
const heading = /^[\p{L}\w .#-]{0,40}$/u;

interface Cell {
  text: string;
  start: number;
}

/**
 * Values below a column heading that names a secret: Markdown tables, output of SQL clients, CSV, TSV. `at` is inside the
 * heading. Only the first line of a table can be the heading, so each table is read once.
 */
export function findColumn(text: string, at: number): Finding[] {
  const from = Math.max(0, at - maxLine);
  const start = from + text.slice(from, at).lastIndexOf("\n") + 1;
  const top = readLine(text, start);
  const separator = top === undefined ? undefined : ["|", "\t", ",", ";"].find((sign) => top.includes(sign));
  if (top === undefined || separator === undefined || (start === from && from > 0)) return [];
  const above = text.slice(Math.max(0, start - maxLine), Math.max(0, start - 1));
  const lineAbove = above.slice(above.lastIndexOf("\n") + 1);
  if (lineAbove.includes(separator) && !rule.test(lineAbove)) return [];
  const cells = splitCells(top, separator);
  const column = cells.findIndex((cell) => at < start + cell.start + cell.text.length + 1);
  const named = judgeName((cells[column]?.text ?? "").replaceAll(" ", "_"));
  // "Pass" next to a user is a password; elsewhere it is the result of a test.
  const isLogin =
    named?.strength === "pass" && cells.some((cell) => /^(?:user|login|account|e-?mail)/i.test(cell.text));
  const judged: SecretName | undefined = isLogin ? { strength: "password", kind: "password" } : named;
  // Lists in code end with commas; CSV lines do not.
  const isList = (separator === "," || separator === ";") && cells.some((cell) => cell.text === "");
  if (cells.length < 2 || isList || judged === undefined || !cells.every((cell) => heading.test(cell.text)))
    return [];
  return readRows(text, start + top.length + 1, { separator, column, width: cells.length, judged });
}

const htmlCell =
  /<\/(?:td|th|dt)>\s{0,40}<(?:td|dd)[^<>]{0,100}>\s{0,40}(?:<code>)?([^<>\s]{4,600})(?=\s{0,40}<)/y;

/** `<td>Password</td><td>X</td>`; `at` is the closing tag of the name. */
export function findHtmlCell(text: string, at: number): Finding | undefined {
  const named = readNameBefore(text, at);
  const judged = named === undefined ? undefined : judgeName(named.name);
  if (judged === undefined) return undefined;
  htmlCell.lastIndex = at;
  const value = htmlCell.exec(text)?.[1];
  if (value === undefined || !isSecretValue(judged, value, "line")) return undefined;
  return { start: htmlCell.lastIndex - value.length, end: htmlCell.lastIndex, kind: judged.kind };
}

const vaultHead = /= Data =+\r?\nKey[ \t]+Value\r?\n-+[ \t]+-+\r?\n/y;
const vaultRow = /[^\s=]{1,100}[ \t]+([^\s[][^\r\n]{2,4096})(?:\r?\n|$)/y;

/** Every value that `vault kv get` prints, regardless of its key. `at` is at the heading of its data. */
export function findVaultData(text: string, at: number): Finding | undefined {
  vaultHead.lastIndex = at;
  if (!vaultHead.test(text)) return undefined;
  const found: Finding[] = [];
  vaultRow.lastIndex = vaultHead.lastIndex;
  for (let row = 0; row < maxRows; row++) {
    const match = vaultRow.exec(text);
    if (match === null) break;
    const value = (match[1] ?? "").trimEnd();
    const start = text.indexOf(value, match.index + match[0].indexOf(" "));
    found.push({ start, end: start + value.length, kind: "vault-data" });
  }
  const [first, ...more] = found;
  return first === undefined ? undefined : { ...first, more };
}

function readRows(
  text: string,
  from: number,
  table: { separator: string; column: number; width: number; judged: SecretName },
): Finding[] {
  const found: Finding[] = [];
  let start = from;
  for (let row = 0; row < maxRows && start < text.length; row++) {
    const line = readLine(text, start);
    if (line === undefined) break;
    if (!rule.test(line)) {
      const cells = splitCells(line, table.separator);
      const cell = cells[table.column];
      if (cells.length !== table.width || cell === undefined) break;
      if (isSecretValue(table.judged, cell.text, "line")) {
        const at = start + cell.start;
        found.push({ start: at, end: at + cell.text.length, kind: table.judged.kind });
      }
    }
    start += line.length + 1;
  }
  return found;
}

/** The line that starts here; undefined if it is too long for a table row. */
function readLine(text: string, start: number): string | undefined {
  const line = text.slice(start, start + maxLine);
  const end = line.indexOf("\n");
  return end === -1 && line.length === maxLine ? undefined : end === -1 ? line : line.slice(0, end);
}

function splitCells(line: string, separator: string): Cell[] {
  let start = 0;
  return line.split(separator).map((part) => {
    const lead = /^[\s"'`]*/.exec(part)?.[0].length ?? 0;
    const cell = { text: part.slice(lead).replace(/[\s"'`]+$/, ""), start: start + lead };
    start += part.length + 1;
    return cell;
  });
}
