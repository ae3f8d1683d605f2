import { formatBytes } from "../../shared/format-bytes.ts";
import { useEffect, useMemo } from "preact/hooks";
import type { StatusReport } from "../../protocol/status.ts";
import type { HealthSample, SavingsView } from "../../protocol/viewer.ts";
import { now } from "../data/clock.ts";
import { useResource } from "../data/resource.ts";
import { fillDays, formatIsoDay } from "../data/last-days.ts";
import { formatCount, formatDuration, formatNumber } from "../data/format.ts";
import { Loading } from "../parts/empty.tsx";
import { Chart } from "../parts/chart.tsx";
import { Line } from "../parts/text.tsx";
import { Spend } from "./health/spend.tsx";

/** Metrics of the daemon, current and over time. */
export function Health() {
  const status = useResource("GET /api/status", {}, ({ type }) => type === "health.changed");
  const series = useResource("GET /api/series", {});
  const savings = useResource("GET /api/savings", { query: { days: 30 } });
  useEffect(() => {
    status.reload();
    series.reload();
  }, [now.value]);
  if (!status.data)
    return (
      <div class="page">
        <h1>Health</h1>
        <Loading error={status.error} />
      </div>
    );
  return (
    <div class="page">
      <h1>Health</h1>
      {status.data.status === "paused" && (
        <p class="trouble" role="alert">
          Capture is paused: {status.data.reason}. Events are kept in the spool; nothing is lost.
        </p>
      )}
      <Tiles status={status.data} />
      {series.data && <Charts samples={series.data.samples} />}
      {savings.data && <Savings savings={savings.data} />}
      <Spend />
      <Hooks hooks={status.data.hooks} />
    </div>
  );
}

function Tiles({ status }: { status: StatusReport }) {
  const { database, spool, queue, sessions, deliveries, rssBytes, uptimeMs, version, events } = status;
  const tiles: [string, string, string][] = [
    ["Uptime", formatDuration(uptimeMs), `version ${version}`],
    ["Sessions", formatNumber(sessions.active), `active of ${formatNumber(sessions.total)}`],
    ["Events", formatNumber(events), `${queue} queued`],
    ["Spool", formatCount(spool.files, "file"), `${formatBytes(spool.bytes)}, ${spool.rejected} rejected`],
    ["Database", formatBytes(database.bytes), `plus ${formatBytes(database.walBytes)} of log`],
    ["Memory", formatBytes(rssBytes), "resident"],
    ["Mail", formatNumber(deliveries.queued), `waiting, ${formatNumber(deliveries.confirmed)} read`],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong> <span class="faint">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Charts({ samples }: { samples: HealthSample[] }) {
  const charts = useMemo(() => {
    const times = samples.map(({ at }) => at);
    const of = <Name extends keyof HealthSample>(name: Name): HealthSample[Name][] =>
      samples.map((sample) => sample[name]);
    return {
      times,
      latency: [
        { name: "median", color: "line-a", values: of("hookP50Ms") },
        { name: "95th percentile", color: "line-b", values: of("hookP95Ms") },
      ],
      waiting: [
        { name: "queue", color: "line-a", values: of("queue") },
        { name: "spool files", color: "line-b", values: of("spoolFiles") },
      ],
      sizes: [
        { name: "database", color: "line-a", values: of("databaseBytes") },
        { name: "memory", color: "line-b", values: of("rssBytes") },
      ],
    };
  }, [samples]);
  const latest = samples.findLast(({ hookP50Ms }) => hookP50Ms !== null);
  return (
    <div class="charts">
      <section aria-labelledby="latency-title">
        <h2 id="latency-title">Hook latency</h2>
        <Chart
          label={`Hook latency over time; latest median ${latest?.hookP50Ms ?? "–"} ms, 95th percentile ${latest?.hookP95Ms ?? "–"} ms`}
          times={charts.times}
          lines={charts.latency}
          format={(ms) => `${ms} ms`}
        />
      </section>
      <section aria-labelledby="queue-title">
        <h2 id="queue-title">Queue and spool</h2>
        <Chart
          label={`Queue and spool over time; now ${samples.at(-1)?.queue ?? 0} and ${samples.at(-1)?.spoolFiles ?? 0}`}
          times={charts.times}
          lines={charts.waiting}
          format={formatNumber}
          isInteger
        />
      </section>
      <section aria-labelledby="size-title">
        <h2 id="size-title">Size</h2>
        <Chart
          label={`Size over time; now database ${formatBytes(samples.at(-1)?.databaseBytes ?? 0)}, memory ${formatBytes(samples.at(-1)?.rssBytes ?? 0)}`}
          times={charts.times}
          lines={charts.sizes}
          format={formatBytes}
        />
      </section>
    </div>
  );
}

function Savings({ savings }: { savings: SavingsView }) {
  const { days, injected, saved, indexRows, recalled } = savings;
  const today = formatIsoDay(now.value);
  const chart = useMemo(() => {
    const all = fillDays(days, now.value);
    return {
      times: all.map(({ at }) => at),
      lines: [
        { name: "injected", color: "line-a", values: all.map(({ row }) => row?.injected ?? 0) },
        { name: "saved (upper bound)", color: "line-b", values: all.map(({ row }) => row?.saved ?? 0) },
      ],
    };
  }, [days, today]);
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens, last 30 days</h2>
      {days.length > 0 ? (
        <>
          <p>
            About <strong>{formatNumber(injected)}</strong> injected: {formatCount(indexRows, "row")} of
            context at session starts and {formatCount(recalled, "note")} in full. Up to{" "}
            <strong>{formatNumber(saved)}</strong> saved: the cost of reading the sources of those notes
            again.
          </p>
          <Chart
            label={`Tokens by day: ${formatNumber(injected)} injected, ${formatNumber(saved)} saved (upper bound)`}
            times={chart.times}
            lines={chart.lines}
            format={formatNumber}
            isBars
          />
        </>
      ) : (
        <p class="faint">No notes used in a session yet.</p>
      )}
    </section>
  );
}

function Hooks({ hooks }: { hooks: StatusReport["hooks"] }) {
  const rows = Object.entries(hooks);
  if (rows.length === 0) return <p class="faint">No hook calls since the daemon started.</p>;
  return (
    <section aria-labelledby="hooks-title">
      <h2 id="hooks-title">Hooks (self-measured)</h2>
      <div class="table-box" tabIndex={0} role="region" aria-label="Hook latencies">
        <table>
          <thead>
            <tr>
              <th scope="col">Hook</th>
              <th scope="col">Calls</th>
              <th scope="col">Median</th>
              <th scope="col">95th percentile</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([event, { count, p50Ms, p95Ms }]) => (
              <tr key={event}>
                <th scope="row">
                  <Line text={event} />
                </th>
                <td>{formatNumber(count)}</td>
                <td>{p50Ms} ms</td>
                <td>{p95Ms} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
