import { callDaemon } from "../../client/request.ts";
import type { SpendView } from "../../protocol/model.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { formatTable, formatUsd } from "../format.ts";

export const spend: Command = {
  summary: "What models have cost, by day, provider and project.",
  usage: "[--days N]",
  examples: ["rookery spend", "rookery spend --days 90 --json"],
  options: { days: { type: "string" } },
  optionHelp: { days: "how many days back (30)" },
  async run(context, { flags }) {
    const days = Number(flags.days ?? 30);
    if (!Number.isInteger(days) || days < 1)
      throw new AppError("invalid_argument", "--days takes a positive whole number.");
    const view = await callDaemon<SpendView>(context.address, { path: `/api/spend?days=${days}` });
    context.print(context.isJson ? JSON.stringify(view, null, 2) : formatSpend(view, context.columns));
    return 0;
  },
};

function formatSpend({ rows, budget }: SpendView, columns: number): string {
  const bound = `A day ends at ${budget.tokens} tokens or ${formatUsd(budget.usd)} (model.dailyTokens, model.dailyUsd).`;
  if (rows.length === 0) return `Nothing was spent.\n${bound}`;
  const table = formatTable(
    ["Day", "Calls", "Kept", "Tokens in", "out", "Cost", "Model", "Project"],
    rows.map((row) => [
      row.day,
      ...[row.calls, row.answered, row.inputTokens, row.outputTokens].map(String),
      row.unpriced > 0 ? `${formatUsd(row.usd)} + ${row.unpriced} without a price` : formatUsd(row.usd),
      `${row.provider} ${row.model}`,
      row.project || "(trial)",
    ]),
    columns,
  );
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  const tokens = rows.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
  return `${table}\n\nIn all ${tokens} tokens, ${formatUsd(usd)}. ${bound}`;
}
