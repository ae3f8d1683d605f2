/** Deletes the entries that were added first until at most `max` are left. */
export function dropOldest<Key>(entries: Set<Key> | Map<Key, unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
