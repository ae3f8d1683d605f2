import type { CliContext } from "./command.ts";

type Paint = (text: string) => string;

/** Text formatting. Colours are for terminals only, and respect NO_COLOR. */
export interface Style {
  /** The width of a paragraph: at most the terminal's. */
  width: number;
  bold: Paint;
  dim: Paint;
  green: Paint;
  red: Paint;
}

const maxWidth = 80;
const minWidth = 40;

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
    width: Math.max(minWidth, Math.min(maxWidth, columns)),
    bold: paint(1),
    dim: paint(2),
    green: paint(32),
    red: paint(31),
  };
}
