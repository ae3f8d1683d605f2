/** Ports in order of preference: the configured one, the one used last time, any free one. */
export function listPreferredPorts(configured: number, remembered: string | undefined): number[] {
  if (configured === 0) return [0];
  const earlier = Number(remembered ?? 0);
  return [configured, ...(earlier > 0 && earlier !== configured ? [earlier] : []), 0];
}
