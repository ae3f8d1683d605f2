/** The configured port; if it was taken before, the one used then; else any. */
export function preferredPorts(configured: number, remembered: string | undefined): number[] {
  if (configured === 0) return [0];
  const earlier = Number(remembered ?? 0);
  return [configured, ...(earlier > 0 && earlier !== configured ? [earlier] : []), 0];
}
