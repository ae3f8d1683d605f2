/** A search result, reduced to what ordering needs. */
interface RankedHit {
  ref: string;
}

/**
 * Puts the current note in the place of an outdated one, unless it was found itself, and moves outdated notes to the
 * end. `currentOf` returns the note that replaced a hit; undefined if the hit is current.
 */
export function putCurrentFirst<T extends RankedHit>(
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
