import { formatBytes } from "../../shared/format-bytes.ts";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { streamEndpoint } from "../../client/stream.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";
import { formatCount, formatDuration } from "../format.ts";
import { readDay, readProject } from "../read-flag.ts";

export const exportCommand: Command = {
  summary: "Export all of memory as JSON Lines, to a file or to stdout.",
  usage: "[FILE] [--project NAME] [--since DAY]",
  examples: [
    "rookery export memory.jsonl",
    "rookery export --project api --since 2026-10-01 | gzip > api.gz",
  ],
  options: { project: { type: "string" }, since: { type: "string" } },
  optionHelp: {
    project: "only this project: name or folder",
    since: "only from this day on: 2026-10-01, yesterday, 7d",
  },
  words: { min: 0, max: 1 },
  async run(context, { flags, words }) {
    const query = {
      project: readProject(context.cwd, flags.project),
      since: readDay("--since", flags.since),
    };
    const lines = streamEndpoint(context.address, careEndpoints.exportMemory, { query });
    if (words[0] === undefined) {
      // JSON Lines, with and without `--json`.
      await pipeline(lines, process.stdout, { end: false });
      return 0;
    }
    const file = resolve(context.cwd, words[0]);
    const { rows, bytes } = await writeWhole(context, lines, file);
    context.print(
      context.isJson
        ? JSON.stringify({ file, rows, bytes })
        : `Exported ${formatCount(rows, "row")}, ${formatBytes(bytes)}, to ${file}. To import it: rookery import jsonl FILE`,
    );
    return 0;
  },
};

/** Writes the file completely or not at all. */
async function writeWhole(
  context: CliContext,
  lines: AsyncIterable<Buffer>,
  file: string,
): Promise<{ rows: number; bytes: number }> {
  const part = `${file}.part`;
  const startedAt = performance.now();
  let bytes = 0;
  let tail = "";
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      tail = (tail + chunk.toString("latin1")).slice(-200);
      context.drawProgress(`${formatBytes(bytes)} written, ${formatDuration(performance.now() - startedAt)}`);
      done(null, chunk);
    },
  });
  try {
    await pipeline(lines, count, createWriteStream(part, { mode: 0o600 }));
    const rows = /\{"kind":"end","rows":(\d+)\}\n$/.exec(tail)?.[1];
    if (rows === undefined) throw new AppError("daemon_unreachable", "The export was cut off.");
    renameSync(part, file);
    return { rows: Number(rows), bytes };
  } catch (error) {
    rmSync(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof AppError || code === undefined) throw error;
    throw new AppError("file_not_writable", `Cannot write ${file}: ${message}.`, { cause: error });
  } finally {
    context.drawProgress("");
  }
}
