import type { CliContext } from "./command.ts";

type Paint = (text: string) => string;

/** How texts for people look: colours on a terminal alone, and never where the user wants none. */
export interface Style {
  /** What a paragraph is filled to: readable, and never wider than the terminal. */
  width: number;
  bold: Paint;
  dim: Paint;
  green: Paint;
  red: Paint;
}

const widest = 80;
const narrowest = 40;

export function makeStyle({
  isTerminal,
  environment,
  columns,
}: Pick<CliContext, "isTerminal" | "environment" | "columns">): Style {
  const isPlain = !isTerminal || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  const paint =
    (code: number): Paint =>
    (text) =>
      isPlain ? text : `\u001b[${code}m${text}\u001b[0m`;
  return {
    width: Math.max(narrowest, Math.min(widest, columns)),
    bold: paint(1),
    dim: paint(2),
    green: paint(32),
    red: paint(31),
  };
}
