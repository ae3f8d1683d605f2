import type * as z from "zod";
import { callEndpoint } from "../../client/request.ts";
import { AppError } from "../../shared/errors.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { memoryKinds, memoryTypes } from "../../protocol/memory-kinds.ts";
import { searchRequest, type SearchResult } from "../../protocol/memory.ts";
import type { CliContext, Command } from "../command.ts";
import { hostHelp, hostNames } from "../host-option.ts";
import { formatDay, formatTable } from "../format.ts";
import { readChoice, readCount, readDay, readDayEnd, readProject, readText } from "../read-flag.ts";
import { makeStyle } from "../style.ts";
import { truncateLine } from "../text-width.ts";

/** Filters that work without words: the newest matches are listed. */
const filters = ["file", "folder", "session", "host", "since", "until"];

export const search: Command = {
  summary: 'Search memory: words, "exact phrases", -not.',
  usage:
    "[WORDS…] [--project NAME] [--kind KIND] [--type TYPE] [--file PATH] [--folder PATH] [--session ID] [--host NAME] [--since DAY] [--until DAY] [--limit N]",
  examples: [
    "rookery search connection pool timeout",
    "rookery search '\"retry budget\" -kafka' --type decision --since 2026-10-01",
    "rookery search migration --project orders-api --since 7d",
    "rookery search --file src/pool.ts",
  ],
  options: {
    project: { type: "string" },
    kind: { type: "string" },
    type: { type: "string" },
    file: { type: "string" },
    folder: { type: "string" },
    session: { type: "string" },
    host: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    limit: { type: "string", short: "n" },
  },
  optionHelp: {
    project: "name or folder; default all",
    kind: `${memoryKinds.join(", ")}; default all`,
    type: memoryTypes.join(", "),
    ...describeFields(searchRequest.shape, ["file", "folder", "session"]),
    host: hostHelp,
    since: "from this day on: 2026-10-01, yesterday, 7d",
    until: "up to the end of this day",
    limit: "how many (10)",
  },
  completes: { project: "projects", host: hostNames, type: memoryTypes, kind: memoryKinds },
  words: { min: 0, max: 200 },
  async run(context, { flags, words }) {
    if (words.length === 0 && !filters.some((name) => flags[name] !== undefined))
      throw new AppError(
        "invalid_argument",
        "Missing words. Usage: rookery search WORDS…, or --file, --folder, --session, --host, --since or --until",
      );
    const query = {
      q: words.join(" "),
      project: readProject(context.cwd, flags.project),
      kind: readChoice("--kind", flags.kind === "observation" ? "note" : flags.kind, memoryKinds),
      type: readChoice("--type", flags.type, memoryTypes),
      file: readText(flags.file),
      folder: readText(flags.folder),
      session: readText(flags.session),
      host: readChoice("--host", flags.host, hostNames),
      from: readDay("--since", flags.since),
      to: readDayEnd("--until", flags.until),
      limit: readCount("--limit", flags.limit, 10),
    };
    const { results } = await callEndpoint(context.address, memoryEndpoints.search, { query });
    if (context.isJson) context.print(JSON.stringify(results, null, 2));
    else if (results.length === 0)
      context.print(query.q === "" ? "No results." : `No results for: ${query.q}`);
    else {
      if (results.every(({ matched }) => matched.length === 0))
        context.print("No note has these words. Similar:\n");
      context.print(formatResults(results, context));
      context.print("\nRead one: rookery show ID");
    }
    return 0;
  },
};

const header = ["Id", "Date", "Type", "Project", "Tokens", "Title"];
const typeColumn = header.indexOf("Type");
const snippetIndent = " ".repeat(10);
const maxSnippet = 160;

/** A table with the matching passage below each row. */
function formatResults(results: readonly SearchResult[], context: CliContext): string {
  const style = makeStyle(context);
  const rows = results.map((r) => [
    r.id.slice(-8),
    formatDay(r.createdAt),
    r.type ?? r.kind,
    r.project,
    String(r.tokens),
    r.supersededBy
      ? `(replaced by ${r.supersededBy.slice(-8)}) ${r.title}`
      : r.author === null
        ? r.title
        : `${r.title} (${r.author})`,
  ]);
  const table = formatTable(header, rows, context.columns, (cell, column, row) =>
    column === typeColumn ? style.type(rows[row]?.[typeColumn] ?? "", cell) : cell,
  );
  const width = Math.min(context.columns, maxSnippet) - snippetIndent.length;
  return table
    .split("\n")
    .flatMap((line, n) => {
      const { title = "", snippet = "" } = results[n - 1] ?? {};
      return snippet && !title.startsWith(snippet)
        ? [line, style.dim(`${snippetIndent}${truncateLine(snippet, width)}`)]
        : [line];
    })
    .join("\n");
}

/** The texts of these fields in the endpoint table, for options of the same name. */
export function describeFields<Name extends string>(
  shape: Record<Name, z.ZodType>,
  names: readonly Name[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, shape[name].description ?? ""]));
}
