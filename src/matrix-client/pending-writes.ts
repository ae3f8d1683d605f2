/** Calls whose text may still reach the homeserver. */
export interface PendingWrites {
  track<T>(write: Promise<T>): Promise<T>;
  /** Resolves when every write that is pending now has ended, successfully or not. */
  whenSettled(): Promise<void>;
}

export function openPendingWrites(): PendingWrites {
  const pending = new Set<Promise<unknown>>();
  return {
    track(write) {
      pending.add(write);
      const end = (): void => void pending.delete(write);
      write.then(end, end);
      return write;
    },
    async whenSettled() {
      await Promise.allSettled(pending);
    },
  };
}
