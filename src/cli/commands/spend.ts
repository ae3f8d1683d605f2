import { callEndpoint } from "../../client/request.ts";
import { modelEndpoints } from "../../protocol/endpoints/model.ts";
import type { SpendView } from "../../protocol/model.ts";
import type { Command } from "../command.ts";
import { formatTable, formatUsd } from "../format.ts";
import { readCount } from "../read-flag.ts";

export const spend: Command = {
  summary: "Show the cost of models by day, provider and project.",
  usage: "[--days N]",
  examples: ["rookery spend", "rookery spend --days 90 --json"],
  options: { days: { type: "string" } },
  optionHelp: { days: "how many days back (30)" },
  async run(context, { flags }) {
    const days = readCount("--days", flags.days, 30);
    const view = await callEndpoint(context.address, modelEndpoints.getSpend, { query: { days } });
    context.print(context.isJson ? JSON.stringify(view, null, 2) : formatSpend(view, context.columns));
    return 0;
  },
};

function formatSpend({ rows, budget }: SpendView, columns: number): string {
  const bound = `Daily limit: ${budget.tokens.toLocaleString("en-US")} tokens or ${formatUsd(budget.usd)} (model.dailyTokens, model.dailyUsd).`;
  if (rows.length === 0)
    return `Nothing was spent: no model is used unless you set one up (rookery setup model).\n${bound}`;
  const table = formatTable(
    ["Day", "Calls", "Kept", "Tokens in", "out", "Cost", "Model", "Project"],
    rows.map((row) => [
      row.day,
      ...[row.calls, row.answered, row.inputTokens, row.outputTokens].map(String),
      row.unpriced > 0 ? `${formatUsd(row.usd)} + ${row.unpriced} without a price` : formatUsd(row.usd),
      `${row.provider} ${row.model}`,
      row.project || "(no project)",
    ]),
    columns,
  );
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  const tokens = rows.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
  return `${table}\n\nTotal: ${tokens.toLocaleString("en-US")} tokens, ${formatUsd(usd)}. ${bound}`;
}
