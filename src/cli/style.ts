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
  /** Colours by the type of a note; other kinds are dim. */
  type(type: string, text: string): string;
}

const typeColours: Record<string, number> = {
  decision: 36,
  preference: 35,
  bugfix: 31,
  gotcha: 33,
  "problem-solution": 33,
  feature: 32,
  discovery: 34,
};
const noteColour = 37;
const dimmed = 2;
const otherKinds = ["summary", "prompt", "question", "message", "session"];

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
    type: (type, text) => paint(otherKinds.includes(type) ? dimmed : (typeColours[type] ?? noteColour))(text),
  };
}
