import { existsSync, readFileSync } from "node:fs";
import { tryParseJson } from "../../shared/json.ts";
import type { Command } from "../command.ts";
import { formatDay } from "../format.ts";
import { readCount } from "../read-flag.ts";
import { fileSize } from "../../shared/regular-file.ts";

interface LogLine {
  at: string;
  level: string;
  message: string;
  session?: string;
  [field: string]: unknown;
}

export const logs: Command = {
  summary: "Show the daemon's log. An event keeps one id from the hook to the stored row.",
  usage: "[-n LINES] [--session ID] [--follow]",
  examples: [
    "rookery logs",
    "rookery logs --session 800303e5-85aa-46aa-95c9-42467f3e3ce2",
    "rookery logs --follow",
  ],
  options: {
    lines: { type: "string", short: "n" },
    session: { type: "string" },
    follow: { type: "boolean", short: "f" },
  },
  optionHelp: {
    lines: "how many (50)",
    session: "only this session",
    follow: "keep running and print new lines",
  },
  async run(context, { flags }) {
    const count = readCount("-n", flags.lines, 50);
    const path = context.home.log;
    const isWanted = (line: string): boolean =>
      line !== "" && (flags.session === undefined || parseLine(line)?.session === flags.session);
    const show = (lines: string[]): void => {
      for (const line of lines) {
        const entry = parseLine(line);
        context.print(context.isJson || !entry ? line : formatLine(entry));
      }
    };
    const older = existsSync(`${path}.1`) ? readFileSync(`${path}.1`, "utf8") : "";
    const newer = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const text = older + newer.toString("utf8");
    const wanted = text.split("\n").filter(isWanted);
    if (!text) context.printNote("No log yet: run `rookery start`.");
    else if (wanted.length === 0)
      context.printNote(`The log has no line of session ${String(flags.session)}.`);
    show(wanted.slice(-count));
    if (flags.follow) await follow(path, newer.length, (more) => show(more.split("\n").filter(isWanted)));
    return 0;
  },
};

/** Runs until Ctrl-C. Starts at the offset where the first read ended, so that no line is missed. */
function follow(path: string, from: number, show: (text: string) => void): Promise<void> {
  let offset = from;
  const timer = setInterval(() => {
    const size = fileSize(path);
    if (size < offset) offset = 0; // Rotated.
    if (size === offset) return;
    const more = readFileSync(path).subarray(offset);
    const whole = more.subarray(0, more.lastIndexOf(10) + 1);
    show(whole.toString("utf8"));
    offset += whole.length;
  }, 200);
  return new Promise((resolve) => {
    process.once("SIGINT", () => {
      clearInterval(timer);
      resolve();
    });
  });
}

/** Local time, as in all other commands. */
function formatInstant(at: string): string {
  const date = new Date(at);
  return `${formatDay(date.getTime())} ${date.toLocaleTimeString("en-GB")}.${at.slice(20, 23)}`;
}

/** A line truncated by a crash is printed as it is. */
function parseLine(line: string): LogLine | undefined {
  return tryParseJson(line) as LogLine | undefined;
}

function formatLine({ at, level, message, ...fields }: LogLine): string {
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `${formatInstant(at)} ${level.padEnd(5)} ${message} ${rest.join(" ")}`.trimEnd();
}
