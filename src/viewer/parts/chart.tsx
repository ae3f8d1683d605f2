import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../data/theme.ts";
import { sayClock, sayDay, saySecond } from "../data/words.ts";

export interface ChartLine {
  name: string;
  /** A custom property of the style sheet. */
  color: string;
  /** Among bars: a line all the same, for what is a bound and no amount. */
  isBound?: boolean;
  values: (number | null)[];
}

export interface ChartProps {
  /** What it shows, in a sentence, for whoever cannot see it. */
  label: string;
  /** Epoch milliseconds. */
  times: number[];
  lines: ChartLine[];
  say(value: number): string;
  isBars?: boolean;
  /** There is no half of what is counted. */
  isWhole?: boolean;
}

const height = 180;

/** Values over time. Redrawn whole when they change: they are few. */
export function Chart({ label, times, lines, say, isBars = false, isWhole = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current as HTMLDivElement;
    const plot = draw(element, { label, times, lines, say, isBars, isWhole });
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

function draw(element: HTMLElement, { times, lines, say, isBars, isWhole }: ChartProps): uPlot {
  const colorOf = (name: string): string => readColor(element, name);
  const axis: uPlot.Axis = {
    stroke: () => colorOf("chart-text"),
    grid: { stroke: () => colorOf("chart-grid"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  const isShort = (times.at(-1) ?? 0) - (times[0] ?? 0) < shortMs;
  const sayTime = (at: number): string => (isBars ? sayDay : isShort ? saySecond : sayClock)(at * 1000);
  const amounts = lines.filter(({ isBound }) => !isBound);
  // Two amounts of a day stand side by side.
  const barsOf = (line: ChartLine): uPlot.Series.PathBuilder | undefined =>
    uPlot.paths.bars?.({
      size: [0.7 / amounts.length, 40],
      align: amounts.length === 1 ? 0 : line === amounts[0] ? -1 : 1,
    });
  const data = [times.map((at) => at / 1000), ...lines.map(({ values }) => values)] as uPlot.AlignedData;
  return new uPlot(
    {
      width: element.clientWidth || 400,
      height,
      legend: { show: false },
      // The last label of an axis reaches beyond its tick.
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
          values: (_plot, splits) => splits.map(sayTime),
        },
        {
          ...axis,
          size: 58,
          ...(isWhole ? { incrs: wholeNumbers } : {}),
          values: (_plot, values) => values.map(say),
        },
      ],
      series: [
        {},
        ...lines.map((line) => {
          const paths = isBars && !line.isBound ? barsOf(line) : undefined;
          return {
            label: line.name,
            stroke: () => colorOf(line.color),
            width: paths ? 1 : 1.5,
            spanGaps: true,
            points: { show: !isBars && times.length < 3 },
            ...(line.isBound ? { dash: [6, 4] } : {}),
            ...(paths ? { paths, fill: () => colorOf(line.color) } : {}),
          };
        }),
      ],
    },
    data,
    element,
  );
}

/** In less than this, minutes alone would repeat themselves. */
const shortMs = 10 * 60_000;
const dayS = 24 * 3600;
const wholeDays = [1, 2, 5, 7, 14, 30, 60, 120].map((days) => days * dayS);

const wholeNumbers = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();

/** A bar has a width: the first and the last need room. */
function padHalfDay(_plot: uPlot, low: number, high: number): [number, number] {
  return [low - dayS / 2, high + dayS / 2];
}

/** A canvas wants a colour, not the name of one: the style sheet resolves it, for light and for dark. */
function readColor(element: HTMLElement, name: string): string {
  element.style.color = `var(--${name})`;
  const [red, green, blue] = getComputedStyle(element).color.match(/[\d.]+/g) ?? [];
  return `rgb(${red} ${green} ${blue})`;
}
