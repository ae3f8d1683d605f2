/** The number of hooks that wait for an answer; background work gives way to them. */
export interface HookCounter {
  add(hooks: number): void;
  count(): number;
}

export function makeHookCounter(): HookCounter {
  let waiting = 0;
  return {
    add(hooks) {
      waiting += hooks;
    },
    count: () => waiting,
  };
}
