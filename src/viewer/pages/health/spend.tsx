import { useMemo } from "preact/hooks";
import { now } from "../../data/clock.ts";
import { fillDays, formatIsoDay } from "../../data/last-days.ts";
import { useResource } from "../../data/resource.ts";
import { formatNumber } from "../../data/format.ts";
import { Chart } from "../../parts/chart.tsx";

/** The cost of model calls, against the daily budget. */
export function Spend() {
  const { data } = useResource("GET /api/spend", { query: { days: 30 } });
  const today = formatIsoDay(now.value);
  const chart = useMemo(() => {
    const byDay = [...Map.groupBy(data?.rows ?? [], ({ day }) => day)].map(([day, rows]) => ({
      day,
      tokens: rows.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0),
    }));
    const days = fillDays(byDay, now.value);
    const tokens = days.map(({ row }) => row?.tokens ?? 0);
    return {
      times: days.map(({ at }) => at),
      lines: [
        { name: "spent", color: "line-a", values: tokens },
        {
          name: "daily limit",
          color: "line-b",
          isLimit: true,
          values: days.map(() => data?.budget.tokens ?? 0),
        },
      ],
    };
  }, [data, today]);
  if (!data) return null;
  const usd = data.rows.reduce((sum, row) => sum + row.usd, 0);
  return (
    <section aria-labelledby="spend-title">
      <h2 id="spend-title">Model spend, last 30 days</h2>
      {data.rows.length === 0 ? (
        <p class="faint">No model calls. Memory works without a model.</p>
      ) : (
        <>
          <p>
            Total: ${usd.toFixed(2)}. Daily limit: {formatNumber(data.budget.tokens)} tokens or $
            {data.budget.usd.toFixed(2)}.
          </p>
          <Chart
            label={`Tokens per day; daily limit ${formatNumber(data.budget.tokens)}`}
            times={chart.times}
            lines={chart.lines}
            format={formatNumber}
            isBars
          />
        </>
      )}
    </section>
  );
}
