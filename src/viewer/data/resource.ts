import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./api.ts";
import { type LiveEvent, listen } from "./live.ts";
import { throttle } from "./throttle.ts";

export interface Resource<T> {
  data: T | undefined;
  /** Set where the last attempt failed; older data may still be there. */
  error: Error | undefined;
  reload(): void;
}

const quietMs = 250;

/** Most looks find what was there before: then nothing is drawn again. */
function isSame(before: object, now: object): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** What a path answers, looked at again when one of these things happens. `undefined` asks nothing. */
export function useResource<T>(
  path: string | undefined,
  concerns: (event: LiveEvent) => boolean = () => false,
): Resource<T> {
  const [state, setState] = useState<{ path?: string; data?: T; error?: Error }>({});
  const [round, setRound] = useState(0);
  const reload = useRef(throttle(() => setRound((n) => n + 1), quietMs)).current;
  const isConcerned = useRef(concerns);
  isConcerned.current = concerns;

  useEffect(
    () =>
      listen((event) => {
        if (event.type === "caught-up" || isConcerned.current(event)) reload();
      }),
    [],
  );

  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    call<T>("GET", path, undefined, { signal: controller.signal }).then(
      (data) => setState((old) => (isSame(old, { path, data }) ? old : { path, data })),
      (error: Error) => {
        if (controller.signal.aborted) return;
        setState((old) =>
          old.path === path && old.data !== undefined ? { ...old, error } : { path, error },
        );
      },
    );
    return () => controller.abort();
  }, [path, round]);

  return { data: path === undefined ? undefined : state.data, error: state.error, reload };
}
