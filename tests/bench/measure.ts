import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** The value at this quantile (nearest rank). */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const p50 = (samples: readonly number[]): number => quantile(samples, 0.5);
export const p95 = (samples: readonly number[]): number => quantile(samples, 0.95);

/** Samples by name, in the order in which the names first appeared. */
export class Samples {
  readonly #byName = new Map<string, number[]>();

  add(name: string, value: number): void {
    const known = this.#byName.get(name);
    if (known) known.push(value);
    else this.#byName.set(name, [value]);
  }

  of(name: string): readonly number[] {
    return this.#byName.get(name) ?? [];
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }
}

const ticksPerSecond = 100;

/** User and system time of a process so far, in ms; undefined without /proc. */
export function readCpuMs(pid: number): number | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const stat = readFileSync(path, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Resident memory of a process, in MB. */
export function readRssMb(pid: number): number {
  if (existsSync("/proc/self/status")) return readStatusMb(pid, "VmRSS");
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

/** The peak; undefined without /proc. */
export function readPeakRssMb(pid: number): number | undefined {
  return existsSync("/proc/self/status") ? readStatusMb(pid, "VmHWM") : undefined;
}

function readStatusMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
