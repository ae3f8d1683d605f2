/** The number of hooks that wait for an answer; background work gives way to them. */
export interface HookCounter {
  add(hooks: number): void;
  count(): number;
  /** Hooks that have connected and not yet sent the name of their file. */
  addUnnamed(hooks: number): void;
  countUnnamed(): number;
}

export function makeHookCounter(): HookCounter {
  let waiting = 0;
  let unnamed = 0;
  return {
    add(hooks) {
      waiting += hooks;
    },
    count: () => waiting,
    addUnnamed(hooks) {
      unnamed += hooks;
    },
    countUnnamed: () => unnamed,
  };
}
