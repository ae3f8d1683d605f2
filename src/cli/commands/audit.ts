import { callEndpoint } from "../../client/request.ts";
import { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import type { Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";
import { readCount } from "../read-flag.ts";

export const audit: Command = {
  summary:
    "List every decision, pairing, refusal and change to a person-only setting: who, where and the result.",
  usage: "[-n COUNT]",
  examples: ["rookery audit", "rookery audit -n 200 --json"],
  options: { count: { type: "string", short: "n" } },
  optionHelp: { count: "how many, newest first (50)" },
  async run(context, { flags }) {
    const limit = readCount("-n", flags.count, 50);
    const { entries } = await callEndpoint(context.address, reachEndpoints.listAudit, { query: { limit } });
    if (context.isJson) context.print(JSON.stringify(entries, null, 2));
    else if (entries.length === 0) context.print("No decisions from outside the terminal yet.");
    else {
      const rows = entries.map((e) => [formatMinute(e.at), e.action, e.result, e.place, e.who, e.detail]);
      context.print(formatTable(["When", "What", "Result", "Where", "Who", "Detail"], rows, context.columns));
    }
    return 0;
  },
};
