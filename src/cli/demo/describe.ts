import type { QuestionView } from "../../protocol/ask.ts";
import { wrapLines } from "../format.ts";
import type { Style } from "../style.ts";
import { padEnd, truncateLine } from "../text-width.ts";
import type { RaceFacts } from "./demo-race.ts";
import type { MemoryFacts } from "./demo-memory.ts";
import type { TalkFacts } from "./demo-talk.ts";

/** Everything that the demo shows, and which promises were kept. */
export interface DemoFacts {
  memory: MemoryFacts;
  question: RaceFacts;
  agents: TalkFacts;
  promises: Record<string, boolean>;
  ms: number;
}

export function describeIntroduction(style: Style): string {
  return wrapText(
    "Sessions are now replayed through the real hook script, into a daemon in a throwaway home. No model, no " +
      "account, no network. Your own data and your Claude Code are not touched.",
    style,
    "",
  );
}

export function describeEnd({ promises, memory, ms }: DemoFacts, style: Style, command: string): string {
  const { bold, green, red } = style;
  const all = Object.entries(promises);
  const failed = all.flatMap(([promise, held]) => (held ? [] : [`  ${promise}`]));
  const waits = ["tool.after", "prompt", "session.started"].flatMap((event) => {
    const latency = memory.latencies[event];
    return latency ? [`${event} ${latency.p50Ms} ms`] : [];
  });
  return [
    "",
    failed.length === 0
      ? green(bold(`✓ ${all.length} promises checked, ${all.length} kept, in ${(ms / 1000).toFixed(1)} s.`))
      : [red(bold("NOT KEPT:")), ...failed].join("\n"),
    wrapText(`Time that a session waited for a hook (median): ${waits.join(", ")}.`, style, "  "),
    "",
    bold("Next"),
    ...[
      [`${command} up`, "put it into your Claude Code"],
      ["claude", "then work as usual"],
      [`${command} open`, "see everything in the browser"],
      [`${command} today`, "what your sessions did, and what is open"],
    ].map(([typed = "", what]) => `  ${typed.padEnd(command.length + 8)}${what}`),
  ].join("\n");
}

export function describeRemoval(keptIn: string | undefined, command: string): string {
  if (keptIn === undefined) return "\nThe throwaway home is removed again.";
  return `\nKept in ${keptIn}. Look around:\n  export ROOKERY_HOME=${keptIn}/home; ${command} start; ${command} today; ${command} stop`;
}

function chapter(number: number, title: string, { bold, dim, width }: Style): string {
  return `\n${bold(`${number}  ${title}`)}\n${dim("─".repeat(Math.min(width, title.length + 3)))}`;
}

export function wrapText(text: string, { width }: Style, first: string, rest = first): string {
  return wrapLines(text, width, first, rest);
}

export function describeMemory(facts: MemoryFacts, style: Style): string {
  return [
    chapter(1, "What it remembers", style),
    ...describePrompts(facts, style),
    ...describeNotes(facts, style),
    ...describeSecrets(facts, style),
    ...describeSearch(facts, style),
    ...describeNextSession(facts, style),
  ].join("\n");
}

function describePrompts({ prompts, project, sessions }: MemoryFacts, style: Style): string[] {
  return [
    `Typed by a person in ${sessions} sessions of the project ${project}:`,
    ...prompts.map((prompt) => style.dim(`  > ${truncateLine(prompt, style.width - 4)}`)),
  ];
}

function describeNotes({ notes }: MemoryFacts, style: Style): string[] {
  const indent = " ".repeat(20);
  return [
    "\nNotes made from it, without a model:",
    ...notes.map(({ type, title }) => wrapText(title, style, `  ${type.padEnd(18)}`, indent)),
  ];
}

function describeSecrets({ planted, scan }: MemoryFacts, style: Style): string[] {
  const { key, privateWords, plainWord } = planted;
  const row = (word: string, what: string): string => {
    const files = scan.found[word]?.length ?? 0;
    return `  ${padEnd(word, 22)}${padEnd(what, 34)}${style.bold(`in ${files} of ${scan.files} files`)}`;
  };
  return [
    "\nNot stored; every written file was searched for it:",
    row(key, "the key in .env (made up)"),
    ...privateWords.map((word) => row(word, "from inside <private>…</private>")),
    row(plainWord, "not a secret: tests the scan"),
  ];
}

function describeSearch({ search }: MemoryFacts, style: Style): string[] {
  const [first] = search.results;
  return [
    "\nFound by words other than its own:",
    style.bold(`  $ rookery search ${search.question}`),
    ...(first
      ? [wrapText(first.title, style, "  → ", "    "), style.dim(`    found by: ${first.why}`)]
      : ["  → nothing"]),
  ];
}

/** Lines of notes, turns and open ends; `--json` has the full context. */
const contentLine = /^(?:<|[0-9a-f]{4,12} \||Left open:|- )/;

function describeNextSession({ nextSession, elsewhere }: MemoryFacts, style: Style): string[] {
  const lines = nextSession.split("\n").filter((line) => contentLine.test(line));
  return [
    "\nThe next session here starts with it (shortened; see yours: rookery context):",
    ...lines.map((line) => style.dim(`  │ ${truncateLine(line, style.width - 4)}`)),
    ...(elsewhere.context === "" ? [] : [`So does a session of ${elsewhere.host} in the same project.`]),
  ];
}

const choosers: Record<RaceFacts["chosenBy"], string> = {
  person: "You answered in the browser.",
  demo: "The demo answers as the browser would: one-time code, token, answer.",
  terminal: "An agent runs this demo, and an agent cannot answer for its person. The terminal did:",
};

export function describeQuestion({ agent, prompts: [prompt] }: QuestionView, style: Style): string {
  return [
    chapter(2, "How it asks you", style),
    `${agent} asks, and its terminal shows the dialog as usual:`,
    wrapText(prompt?.text ?? "", style, "  ? ", "    "),
    ...(prompt?.options ?? []).map(({ label }, place) => style.dim(`    ${place + 1}. ${label}`)),
  ].join("\n");
}

export function describeRace(facts: RaceFacts, style: Style): string {
  const { chosenBy, outcome, handedMs, late, verdict, refusal } = facts;
  const { dim, bold } = style;
  const line = (mark: string, text: string): string => wrapText(text, style, `  ${mark} `, "    ");
  const lines = ["", line("→", choosers[chosenBy])];
  if (refusal !== null) lines.push(dim(line("✗", refusal)));
  lines.push(bold(line("✓", outcome)));
  if (handedMs !== null)
    lines.push(line(" ", `The session had it after ${handedMs} ms; the dialog in the terminal closes.`));
  if (late)
    lines.push(
      line("→", `A second answer, from another terminal: ${late.command}`),
      dim(line("✗", `exit ${late.exitCode}: ${late.message}`)),
    );
  if (verdict === "confirmed")
    lines.push(line("✓", "The session continues with it, and its own events confirm that."));
  return lines.join("\n");
}

export function describeTalk(
  { from, to, lease, message, reply, rooms, messages }: TalkFacts,
  style: Style,
): string {
  const { dim, bold } = style;
  const quote = (text: string): string =>
    text
      .split("\n")
      .map((line) => dim(`  │ ${truncateLine(line, style.width - 4)}`))
      .join("\n");
  return [
    chapter(3, "How agents talk", style),
    wrapText(
      `${from} claims ${lease.file} and writes to ${to}, which is at work on its own turn.`,
      style,
      "",
    ),
    "",
    `${to} wants to edit that file. Its hook says:`,
    quote(lease.warning),
    "",
    "After its next tool call it receives this, as data and never as an instruction:",
    quote(message.given),
    bold(`  ✓ ${message.state}: its id is in the transcript of ${to}`),
    "",
    wrapText(`It answers, and ${from} reads that the same way: “${reply.text}”`, style, ""),
    "",
    "People can read along in any Matrix client or with `rookery rooms parcel-api`:",
    ...messages.map((each) => wrapText(`${each.from}: ${each.text}`, style, "  # ", "    ")),
    dim(`  rooms: ${rooms.map(({ kind, name }) => `${name} (${kind})`).join(", ")}`),
  ].join("\n");
}
