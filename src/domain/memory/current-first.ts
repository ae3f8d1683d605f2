/** What is found, as far as its order matters. */
export interface Ranked {
  ref: string;
}

/**
 * Puts what holds now where something outdated was found, if it is not found itself already, and what is outdated after all
 * that is not. `currentOf` gives the note that took its place, or undefined for one that holds.
 */
export function putCurrentFirst<T extends Ranked>(
  found: readonly T[],
  currentOf: (hit: T) => T | undefined,
): { hit: T; isOutdated: boolean }[] {
  const current = new Map<string, T>();
  const outdated: T[] = [];
  const own = new Map(found.map((hit) => [hit.ref, hit]));
  for (const hit of found) {
    const successor = currentOf(hit);
    if (successor) outdated.push(hit);
    const holds = successor ? (own.get(successor.ref) ?? successor) : hit;
    if (!current.has(holds.ref)) current.set(holds.ref, holds);
  }
  return [
    ...[...current.values()].map((hit) => ({ hit, isOutdated: false })),
    ...outdated.map((hit) => ({ hit, isOutdated: true })),
  ];
}
