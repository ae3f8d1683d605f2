import picomatch from "picomatch";
import { remainingMs } from "../../shared/backoff.ts";

/** A claim on files of a project: the holder wants to change them alone, or together with a few others, for a while. */
export interface Lease {
  id: string;
  projectId: string;
  /** The agent's id; for an agent on another machine, its name and account. */
  holder: string;
  /** Patterns relative to the project's root. */
  globs: string[];
  isExclusive: boolean;
  expiresAt: number;
  /** Increases with every lease of a project: of two claims on a file, the higher one is newer. */
  fence: number;
  taskId: string | null;
}

/** Arbitrates leases among machines. */
export interface LeaseArbiter {
  /**
   * Returns once every machine knows the lease, or "here" if no other machine could be asked; throws `lease_taken` if
   * another one holds the files. Null: the project is not shared.
   */
  grant(lease: Lease, holder: string): Promise<"everywhere" | "here" | null>;
  /** Reads the leases of other machines again. False if the project is not shared or there was no answer. */
  refresh(projectId: string): Promise<boolean>;
  release(lease: Lease): Promise<void>;
}

type LeaseRequest = Pick<Lease, "projectId" | "holder" | "globs" | "isExclusive">;

/**
 * Leases of others that conflict with a request. Shared leases do not conflict with each other, and an agent never
 * conflicts with itself.
 */
export function findConflicts(wish: LeaseRequest, leases: readonly Lease[], nowMs: number): Lease[] {
  return leases.filter(
    (lease) =>
      isActive(lease, nowMs) &&
      lease.projectId === wish.projectId &&
      lease.holder !== wish.holder &&
      (lease.isExclusive || wish.isExclusive) &&
      lease.globs.some((glob) => wish.globs.some((other) => mayOverlap(glob, other))),
  );
}

/** Another agent's exclusive lease on a file that is about to be changed. */
export function findHolder(
  path: string,
  projectId: string,
  editor: string,
  leases: readonly Lease[],
  nowMs: number,
): Lease | undefined {
  return leases.find(
    (lease) =>
      isActive(lease, nowMs) &&
      lease.isExclusive &&
      lease.projectId === projectId &&
      lease.holder !== editor &&
      coversPath(path, lease),
  );
}

export function coversPath(path: string, { globs }: Pick<Lease, "globs">): boolean {
  return globs.some((glob) => matches(path, glob));
}

/**
 * Patterns of agents and of other machines must not keep the daemon busy: the time of a match is exponential in groups and
 * in the number of wildcards. Parentheses and signs of regular expressions are literal (`app/(shop)/page.tsx`), so are braces
 * beyond these limits, and a pattern with more wildcards covers everything.
 */
const limits = { stars: 2, deepStars: 2, braces: 2 };

function matches(path: string, glob: string): boolean {
  if (hasManyWildcards(glob)) return true;
  return picomatch.isMatch(path, withLiterals(glob), { dot: true, nobrace: hasManyBraces(glob) });
}

function hasManyWildcards(glob: string): boolean {
  const parts = glob.split("/");
  const count = (part: string): number => part.match(/\*+/g)?.length ?? 0;
  return (
    parts.filter((part) => part.includes("**")).length > limits.deepStars ||
    parts.some((part) => part.includes("**") && part !== "**") ||
    parts.some((part) => count(part) > limits.stars) ||
    count(glob) > limits.stars * 3
  );
}

function hasManyBraces(glob: string): boolean {
  return glob.split("{").length - 1 > limits.braces || glob.includes("..");
}

function withLiterals(glob: string): string {
  return glob.replace(/[()|+@!^$]/g, "\\$&");
}

/** A lease that would run longer was granted before the clock was set back; it counts as expired. */
export const maxLeaseMs = 24 * 3_600_000;

export function isActive({ expiresAt }: Pick<Lease, "expiresAt">, nowMs: number): boolean {
  return remainingMs(expiresAt, nowMs, maxLeaseMs) > 0;
}

/**
 * Whether some file could match both. Prefers false positives: agents can resolve a needless refusal by talking, but
 * not two concurrent edits of one file.
 */
export function mayOverlap(left: string, right: string): boolean {
  const [a, b] = [scan(left), scan(right)];
  if (!a.isGlob) return matches(left, right);
  if (!b.isGlob) return matches(right, left);
  const isAbove = (base: string, other: string): boolean =>
    base === "" || base === "." || base === other || other.startsWith(`${base}/`);
  if (!isAbove(a.base, b.base) && !isAbove(b.base, a.base)) return false;
  const [x, y] = [literalSuffix(left), literalSuffix(right)];
  return x.endsWith(y) || y.endsWith(x);
}

function scan(glob: string): { isGlob: boolean; base: string } {
  const { isGlob, base } = picomatch.scan(withLiterals(glob));
  return { isGlob, base: base.replaceAll("\\", "") };
}

/** The literal suffix of every match: empty for `src/**`, `.test.ts` for `*.test.ts`. */
function literalSuffix(glob: string): string {
  return /[^*?[\]{}/]*$/.exec(glob)?.[0] ?? "";
}
