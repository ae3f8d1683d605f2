const minuteS = 60;

/** Times in seconds and one row of values for each line. A single time gets an empty one before it: a chart of one time spans a whole day. */
export function makeChartData(
  times: readonly number[],
  rows: readonly (readonly (number | null)[])[],
): (number | null)[][] {
  const seconds = times.map((at) => at / 1000);
  const [only] = seconds;
  if (seconds.length !== 1 || only === undefined) return [seconds, ...rows.map((row) => [...row])];
  return [[only - minuteS, only], ...rows.map((row) => [null, ...row])];
}
