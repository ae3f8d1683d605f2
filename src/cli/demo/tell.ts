import type { CliContext } from "../command.ts";
import { fillLines } from "../format.ts";
import type { DemoFacts } from "./replay.ts";

export interface Style {
  width: number;
  bold(text: string): string;
  dim(text: string): string;
}

export function makeStyle({ isTerminal, environment, columns }: CliContext): Style {
  const isPlain = !isTerminal || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  const paint =
    (code: number) =>
    (text: string): string =>
      isPlain ? text : `\u001b[${code}m${text}\u001b[0m`;
  return { width: Math.max(40, Math.min(80, columns || 80)), bold: paint(1), dim: paint(2) };
}

export function tellIntroduction(style: Style): string {
  return fill(
    "Two recorded sessions are now replayed through the real hook script, into a daemon in a " +
      "throwaway home. No model, no account, no network. Your own data and your Claude Code are not touched.",
    style,
    "",
  );
}

export function tellStory(facts: DemoFacts, style: Style, keptIn: string | undefined): string {
  const failed = Object.entries(facts.promises).flatMap(([promise, held]) => (held ? [] : [promise]));
  return [
    ...tellPrompts(facts, style),
    ...tellObservations(facts, style),
    ...tellSecrets(facts, style),
    ...tellSearch(facts, style),
    ...tellNextSession(facts, style),
    ...tellCost(facts, style),
    ...(failed.length > 0 ? ["", style.bold("NOT KEPT:"), ...failed.map((promise) => `  ${promise}`)] : []),
    ...tellNext(style, keptIn),
  ].join("\n");
}

function tellPrompts({ prompts, project, sessions }: DemoFacts, style: Style): string[] {
  return [
    heading(`What somebody typed, in ${sessions} sessions of the project ${project}`, style),
    ...prompts.map((prompt) => fill(prompt, style, "  > ", "    ")),
  ];
}

function tellObservations({ observations }: DemoFacts, style: Style): string[] {
  const indent = " ".repeat(20);
  return [
    heading("What is remembered of it, without a model", style),
    ...observations.map(({ type, title }) => fill(title, style, `  ${type.padEnd(18)}`, indent)),
  ];
}

function tellSecrets({ planted, looked }: DemoFacts, style: Style): string[] {
  const { key, privateWords, plainWord } = planted;
  const count = (word: string): string => {
    const files = looked.found[word]?.length ?? 0;
    return `in ${files} of ${looked.files} files`;
  };
  const row = (word: string, what: string): string => `  ${word.padEnd(22)}${what.padEnd(34)}${count(word)}`;
  return [
    heading("What is not: searched for in every file it wrote", style),
    row(key, "the key in .env (made up)"),
    ...privateWords.map((word) => row(word, "from inside <private>…</private>")),
    row(plainWord, "no secret, to show it looks"),
  ];
}

function tellSearch({ search }: DemoFacts, style: Style): string[] {
  const [first] = search.results;
  return [
    heading("A search in other words than the text", style),
    `  $ rookery search ${search.question}`,
    ...(first
      ? [
          fill(first.title, style, "  → ", "    "),
          fill(`found by: ${first.why} (by their stems, and in the pieces of names)`, style, "    "),
        ]
      : ["  → nothing"]),
  ];
}

function tellNextSession({ nextSession }: DemoFacts, style: Style): string[] {
  return [
    heading("What the next session in this project is given, word for word", style),
    ...nextSession.split("\n").map((line) => style.dim(fill(line, style, "  │ ", "  │   ").trimEnd())),
  ];
}

function tellCost({ latencies, hooks, ms }: DemoFacts, style: Style): string[] {
  const shown = ["PostToolUse", "UserPromptSubmit", "SessionStart"].flatMap((event) => {
    const latency = latencies[event];
    return latency ? [`${event} ${latency.p50Ms} ms`] : [];
  });
  return [
    heading("What it cost", style),
    fill(
      `${hooks} hook calls; what the session waited for one (median): ${shown.join(", ")}. ` +
        `This demo: ${(ms / 1000).toFixed(1)} s.`,
      style,
      "  ",
    ),
  ];
}

function tellNext(style: Style, keptIn: string | undefined): string[] {
  return [
    heading("Next", style),
    "  npm start                put it into your Claude Code (or: rookery up)",
    "  claude                   then work as always",
    "  rookery today            what your sessions did, and what is open",
    "  rookery blame FILE:LINE  the turn and the reason behind a line",
    "",
    keptIn === undefined
      ? "The throwaway home is removed again."
      : `Kept in ${keptIn}. Look around:\n  export ROOKERY_HOME=${keptIn}/home; rookery start; rookery today; rookery stop`,
  ];
}

function heading(text: string, { bold }: Style): string {
  return `\n${bold(text)}`;
}

function fill(text: string, { width }: Style, first: string, rest = first): string {
  return fillLines(text, width, first, rest);
}
