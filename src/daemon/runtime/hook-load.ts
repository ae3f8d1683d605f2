/** The number of hooks that wait for an answer; background work gives way to them. */
export interface HookLoad {
  add(hooks: number): void;
  waiting(): number;
}

export function makeHookLoad(): HookLoad {
  let waiting = 0;
  return {
    add(hooks) {
      waiting += hooks;
    },
    waiting: () => waiting,
  };
}
