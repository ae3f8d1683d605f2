import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { makeChartData } from "../data/chart-data.ts";
import { theme } from "../data/theme.ts";
import { formatTime, formatDay, formatTimeWithSeconds } from "../data/format.ts";

interface ChartLine {
  name: string;
  /** Name of a CSS custom property. */
  color: string;
  /** Drawn as a dashed line in a bar chart: a limit, not an amount. */
  isLimit?: boolean;
  values: (number | null)[];
}

interface ChartProps {
  /** Text alternative for screen readers. */
  label: string;
  /** Epoch milliseconds. */
  times: number[];
  lines: ChartLine[];
  format(value: number): string;
  isBars?: boolean;
  /** Only integer tick labels. */
  isInteger?: boolean;
}

const height = 180;

/** A chart of values over time. Rebuilt on every change, because there are few values. */
export function Chart({ label, times, lines, format, isBars = false, isInteger = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current as HTMLDivElement;
    const plot = draw(element, { label, times, lines, format, isBars, isInteger });
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = (): void => plot.redraw();
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      observer.disconnect();
      plot.destroy();
    };
  }, [times, lines, theme.value]);
  return (
    <figure class="chart">
      <div ref={box} class="chart-box" role="img" aria-label={label} />
      <figcaption>
        {lines.map(({ name, color }) => (
          <span key={name} class={`key key-${color}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function draw(element: HTMLElement, { times, lines, format, isBars, isInteger }: ChartProps): uPlot {
  const colorOf = (name: string): string => readColor(element, name);
  const axis: uPlot.Axis = {
    stroke: () => colorOf("chart-text"),
    grid: { stroke: () => colorOf("chart-grid"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  const isShort = (times.at(-1) ?? 0) - (times[0] ?? 0) < shortMs;
  const formatTick = (at: number): string =>
    (isBars ? formatDay : isShort ? formatTimeWithSeconds : formatTime)(at * 1000);
  const amounts = lines.filter(({ isLimit }) => !isLimit);
  // Two bars of one day are drawn side by side.
  const barsOf = (line: ChartLine): uPlot.Series.PathBuilder | undefined =>
    uPlot.paths.bars?.({
      size: [0.7 / amounts.length, 40],
      align: amounts.length === 1 ? 0 : line === amounts[0] ? -1 : 1,
    });
  const data = makeChartData(
    times,
    lines.map(({ values }) => values),
  ) as uPlot.AlignedData;
  return new uPlot(
    {
      width: element.clientWidth || 400,
      height,
      legend: { show: false },
      // The last label is wider than the space beyond its tick.
      padding: [8, 28, 0, 0],
      cursor: { y: false },
      scales: {
        x: isBars ? { time: true, range: padHalfDay } : { time: true },
        y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          space: 70,
          ...(isBars ? { incrs: wholeDays } : {}),
          values: (_plot, splits) => splits.map(formatTick),
        },
        {
          ...axis,
          size: 58,
          ...(isInteger ? { incrs: wholeNumbers } : {}),
          values: (_plot, values) => values.map(format),
        },
      ],
      series: [
        {},
        ...lines.map((line) => {
          const paths = isBars && !line.isLimit ? barsOf(line) : undefined;
          return {
            label: line.name,
            stroke: () => colorOf(line.color),
            width: paths ? 1 : 1.5,
            spanGaps: true,
            points: { show: !isBars && times.length < 3 },
            ...(line.isLimit ? { dash: [6, 4] } : {}),
            ...(paths ? { paths, fill: () => colorOf(line.color) } : {}),
          };
        }),
      ],
    },
    data,
    element,
  );
}

/** Below this range, labels show seconds; minutes alone would repeat. */
const shortMs = 10 * 60_000;
const dayS = 24 * 3600;
const wholeDays = [1, 2, 5, 7, 14, 30, 60, 120].map((days) => days * dayS);

const wholeNumbers = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();

/** Half a day of padding, so that the first and last bars fit. */
function padHalfDay(_plot: uPlot, low: number, high: number): [number, number] {
  return [low - dayS / 2, high + dayS / 2];
}

/** A canvas needs a resolved colour, so let the style sheet resolve it for the current theme. */
function readColor(element: HTMLElement, name: string): string {
  element.style.color = `var(--${name})`;
  const [red, green, blue] = getComputedStyle(element).color.match(/[\d.]+/g) ?? [];
  return `rgb(${red} ${green} ${blue})`;
}
