import { createWriteStream, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { streamDaemon } from "../../client/stream.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { formatBytes } from "../format.ts";
import { parseDay } from "../parse-day.ts";

export const exportCommand: Command = {
  summary: "Write everything that is remembered as lines of JSON, to a file or to the terminal.",
  usage: "[FILE] [--project NAME] [--since DATE]",
  examples: [
    "rookery export memory.jsonl",
    "rookery export --project api --since 2026-10-01 | gzip > api.gz",
  ],
  options: { project: { type: "string" }, since: { type: "string" } },
  optionHelp: { project: "only this one: name or folder", since: "only from this date on" },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    const parameters = new URLSearchParams();
    if (typeof flags.project === "string") parameters.set("project", flags.project);
    if (flags.since !== undefined) parameters.set("since", String(parseDay("since", flags.since)));
    const lines = streamDaemon(context.address, `/api/export?${parameters}`);
    if (words[0] === undefined) {
      await pipeline(lines, process.stdout, { end: false });
      return 0;
    }
    const file = resolve(context.cwd, words[0]);
    const { rows, bytes } = await writeWhole(context, lines, file);
    context.print(
      context.isJson
        ? JSON.stringify({ file, rows, bytes })
        : `Exported ${rows} rows, ${formatBytes(bytes)}, to ${file}. Bring it in: rookery import jsonl FILE`,
    );
    return 0;
  },
};

/** The file is there whole or not at all. */
async function writeWhole(
  context: CliContext,
  lines: AsyncIterable<Buffer>,
  file: string,
): Promise<{ rows: number; bytes: number }> {
  const part = `${file}.part`;
  let bytes = 0;
  let tail = "";
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      tail = (tail + chunk.toString("latin1")).slice(-200);
      if (context.isTerminal && !context.isJson) context.draw(`${formatBytes(bytes)} written`);
      done(null, chunk);
    },
  });
  try {
    await pipeline(lines, count, createWriteStream(part, { mode: 0o600 }));
    const rows = /\{"kind":"end","rows":(\d+)\}\n$/.exec(tail)?.[1];
    if (rows === undefined) throw new AppError("daemon_unreachable", "The export ended before its end.");
    renameSync(part, file);
    return { rows: Number(rows), bytes };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    if (context.isTerminal && !context.isJson) context.draw("");
  }
}
