import { createHash } from "node:crypto";
import { makePairingCode } from "../../domain/access/pairing.ts";
import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { stripInvisible } from "../../shared/defuse.ts";
import { takeStart, truncate } from "../../shared/text.ts";

/** A rendered card or notice: plain text only, so that its content cannot be markup. */
interface Drawn {
  text: string;
  /** The full text, if it had to be cut. */
  file: { name: string; text: string } | undefined;
}

/** Limits of a line, a part and the full text, in characters; together they stay far below the 64 KiB limit of an event. */
const [maxLine, maxPart, maxText] = [300, 4_000, 12_000];
const maxOptions = 40;

/** The short code that people type instead of a card's ticket: single-use like the ticket, and valid for this card only. */
export function makeCardCode(ticket: string): string {
  return makePairingCode(createHash("sha256").update(`rookery-card:${ticket}`).digest());
}

export function drawCard(card: Card): Drawn {
  const { subject } = card;
  const whole = stripInvisible(subject?.text ?? "");
  const isCut = whole.length > maxPart;
  const file = subject && isCut ? { name: fileName(subject.format), text: whole } : undefined;
  const text = joinParts([...describeCard(card), explainAnswer(card)]);
  return { text, file };
}

/** The card without actions, and with its outcome. */
export function drawOutcome(card: Card, outcome: Outcome): string {
  return joinParts([...describeCard(card), `— ${part(outcome.text)}`]);
}

export function drawNotice({ headline, body, asker }: Notice): string {
  return joinParts([line(headline), describeAsker(asker), part(body)]);
}

function describeCard({ headline, asker, context, prompts, subject, earlier }: Card): string[] {
  return [
    line(headline),
    describeAsker(asker),
    part(context ?? ""),
    ...prompts.map((prompt, index) => describePrompt(prompt, prompts.length > 1 ? `${index + 1}) ` : "")),
    subject ? describeSubject(subject) : "",
    earlier ? `Last time: ${line(earlier.answer)}` : "",
  ];
}

function describeAsker({ project, agent, subagent }: Card["asker"]): string {
  return line(`${project} · ${agent}${subagent ? ` · ${subagent}` : ""}`);
}

function describePrompt({ text, header, options, isMulti }: Card["prompts"][number], number: string): string {
  const shown = options.slice(0, maxOptions);
  const rows = shown.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${line(label)}${description ? ` – ${line(description)}` : ""}`,
  );
  const left = options.length - shown.length;
  return [
    `${number}${header ? `${line(header)}: ` : ""}${part(text)}${isMulti ? " (choose one or more)" : ""}`,
    ...rows,
    ...(left > 0
      ? [`  … and ${left} more options. To choose one of them, answer in the terminal or the viewer.`]
      : []),
  ].join("\n");
}

function describeSubject({ toolName, text, hiddenSecrets }: NonNullable<Card["subject"]>): string {
  const secrets =
    hiddenSecrets > 0 ? `\n(${hiddenSecrets} ${hiddenSecrets === 1 ? "secret" : "secrets"} hidden)` : "";
  const shown = stripInvisible(text);
  const cut = shown.length > maxPart ? `\n… full text in the file above.` : "";
  return `${line(toolName)}:\n${takeStart(shown, maxPart)}${cut}${secrets}`;
}

/** A permission is only decided by a reply that contains the code of its card. */
function explainAnswer({ kind, ticket, prompts, sessionRule }: Card): string {
  if (kind === "choice")
    return prompts.length > 1
      ? `Reply with one number per question (${prompts.length} in total), for example: 1 2`
      : "Reply with a number, or with an answer of your own.";
  const code = makeCardCode(ticket);
  const rule = sessionRule
    ? [
        `allow session ${code}   (for the rest of this session: ${line(`${sessionRule.toolName}(${sessionRule.ruleContent ?? ""})`)})`,
      ]
    : [];
  return [
    "Reply with one of these lines; any other reply has no effect:",
    `allow ${code}`,
    ...rule,
    `deny ${code} your reason`,
  ].join("\n  ");
}

function fileName(format: string): string {
  return (
    { command: "command.txt", diff: "change.diff", json: "input.json", markdown: "plan.md" }[format] ??
    "input.txt"
  );
}

function line(text: string): string {
  return truncate(stripInvisible(text).replace(/\s+/g, " ").trim(), maxLine);
}

function part(text: string): string {
  return truncate(stripInvisible(text).trim(), maxPart);
}

function joinParts(parts: readonly string[]): string {
  const whole = parts.filter((each) => each !== "");
  const last = whole.at(-1) ?? "";
  const before = whole.slice(0, -1).join("\n\n");
  // The last part says how to answer or how it ended, so only the parts before it are cut.
  return [truncate(before, maxText), last]
    .filter((each) => each !== "")
    .join("\n\n")
    .toWellFormed();
}
