/** The outcome of an uninstall, as lines for the user. */
export interface LeavingReport {
  removed: string[];
  stays: string[];
  failed: string[];
}

export function formatLeaving({ removed, stays, failed }: LeavingReport, dryRun: boolean): string {
  const part = (title: string, lines: string[]): string[] =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
  return [
    ...(removed.length > 0
      ? part(dryRun ? "Would remove:" : "Removed:", removed)
      : ["Rookery was not installed here."]),
    ...part("Stays:", stays),
    ...part("Could not be removed:", failed),
  ].join("\n");
}
