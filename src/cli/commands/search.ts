import { callDaemon } from "../../client/request.ts";
import type { SearchResult } from "../../protocol/memory.ts";
import type { Command } from "../command.ts";
import { formatDay, formatTable } from "../format.ts";

const filters = ["project", "kind", "type", "file", "folder", "session", "limit"] as const;

export const search: Command = {
  summary: 'Search what was remembered: words, "exact phrases", -not.',
  usage: "WORDS… [--project NAME] [--kind KIND] [--type TYPE] [--file PATH] [--since DATE]",
  examples: [
    "rookery search connection pool timeout",
    "rookery search '\"retry budget\" -kafka' --type decision --since 2026-10-01",
  ],
  options: Object.fromEntries(
    [...filters, "since", "until"].map((name) => [name, { type: "string" as const }]),
  ),
  optionHelp: {
    project: "name or folder; default all",
    kind: "observation, summary, prompt, question or message",
    type: "decision, preference, bugfix, …",
    file: "a path, or the end of one",
    folder: "files directly in it",
    session: "session id",
    since: "from this date on",
    until: "up to this date",
    limit: "how many (10)",
  },
  words: { min: 1, max: 200 },
  async run(context, { flags, words }) {
    const parameters = new URLSearchParams({ q: words.join(" ") });
    for (const name of filters) if (typeof flags[name] === "string") parameters.set(name, flags[name]);
    if (typeof flags.since === "string") parameters.set("from", String(Date.parse(flags.since)));
    if (typeof flags.until === "string") parameters.set("to", String(Date.parse(flags.until) + 86_399_999));
    const { results } = await callDaemon<{ results: SearchResult[] }>(context.address, {
      path: `/api/search?${parameters}`,
    });
    if (context.isJson) context.print(JSON.stringify(results, null, 2));
    else if (results.length === 0)
      context.print("Nothing found. Fewer or other words? `rookery search --help` shows the filters.");
    else {
      const rows = results.map((r) => [
        r.id.slice(-8),
        formatDay(r.createdAt),
        r.type ?? r.kind,
        r.project,
        r.supersededBy ? `(replaced by ${r.supersededBy.slice(-8)}) ${r.title}` : r.title,
      ]);
      context.print(formatTable(["Id", "Date", "Type", "Project", "Title"], rows, context.columns));
      context.print("\nRead one: rookery show ID");
    }
    return 0;
  },
};
