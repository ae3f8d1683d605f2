import picomatch from "picomatch";

/** A claim on files of a project: whoever holds it wants to be the only one, or one of few, to change them for a while. */
export interface Lease {
  id: string;
  projectId: string;
  /** The agent's id. */
  holder: string;
  /** Patterns relative to the project's root. */
  globs: string[];
  isExclusive: boolean;
  expiresAt: number;
  /** Grows with every lease of a project: of two claims on a file, the higher one is the newer. */
  fence: number;
  taskId: string | null;
}

export type LeaseWish = Pick<Lease, "projectId" | "holder" | "globs" | "isExclusive">;

/** The leases of others that stand against a wish. Two shared ones get along; an agent never stands in its own way. */
export function findConflicts(wish: LeaseWish, leases: readonly Lease[], nowMs: number): Lease[] {
  return leases.filter(
    (lease) =>
      isRunning(lease, nowMs) &&
      lease.projectId === wish.projectId &&
      lease.holder !== wish.holder &&
      (lease.isExclusive || wish.isExclusive) &&
      lease.globs.some((glob) => wish.globs.some((other) => mayOverlap(glob, other))),
  );
}

/** The exclusive lease of another that covers a file somebody is about to change. */
export function findHolder(
  path: string,
  projectId: string,
  editor: string,
  leases: readonly Lease[],
  nowMs: number,
): Lease | undefined {
  return leases.find(
    (lease) =>
      isRunning(lease, nowMs) &&
      lease.isExclusive &&
      lease.projectId === projectId &&
      lease.holder !== editor &&
      picomatch.isMatch(path, lease.globs, { dot: true }),
  );
}

export function isRunning({ expiresAt }: Pick<Lease, "expiresAt">, nowMs: number): boolean {
  return expiresAt > nowMs;
}

/**
 * Whether some file could match both. Errs on the side of yes: a needless refusal is talked over, two agents on one file
 * are not.
 */
export function mayOverlap(left: string, right: string): boolean {
  const [a, b] = [picomatch.scan(left), picomatch.scan(right)];
  if (!a.isGlob) return picomatch.isMatch(left, right, { dot: true });
  if (!b.isGlob) return picomatch.isMatch(right, left, { dot: true });
  const isAbove = (base: string, other: string): boolean =>
    base === "" || base === "." || base === other || other.startsWith(`${base}/`);
  if (!isAbove(a.base, b.base) && !isAbove(b.base, a.base)) return false;
  const [x, y] = [plainEnding(left), plainEnding(right)];
  return x.endsWith(y) || y.endsWith(x);
}

/** What every match ends with: `src/**` ends with nothing in particular, `*.test.ts` with `.test.ts`. */
function plainEnding(glob: string): string {
  return /[^*?[\]{}()!@+|/]*$/.exec(glob)?.[0] ?? "";
}
