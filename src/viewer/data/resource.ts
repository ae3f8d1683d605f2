import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, call, type GetRoute, type Input, pathOf } from "./api.ts";
import { type LiveEvent, listen } from "./live.ts";
import { throttle } from "./throttle.ts";

interface Resource<T> {
  data: T | undefined;
  /** The error of the last attempt; older data may still be there. */
  error: Error | undefined;
  reload(): void;
}

const quietMs = 250;

/** Most reloads return the same data; keeping the old object avoids a render. */
function isSame(before: object, now: object): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** The response to a GET, loaded again on relevant events. Loads nothing while input is undefined. */
export function useResource<R extends GetRoute>(
  route: R,
  input: Input<R> | undefined,
  isRelevant: (event: LiveEvent) => boolean = () => false,
): Resource<Answer<R>> {
  const path = input && pathOf(route, input);
  const [state, setState] = useState<{ path?: string; data?: Answer<R>; error?: Error }>({});
  const [round, setRound] = useState(0);
  const reload = useRef(throttle(() => setRound((n) => n + 1), quietMs)).current;
  const relevance = useRef(isRelevant);
  relevance.current = isRelevant;

  useEffect(
    () =>
      listen((event) => {
        if (event.type === "reconnected" || relevance.current(event)) reload();
      }),
    [],
  );

  useEffect(() => {
    if (path === undefined || input === undefined) return undefined;
    const controller = new AbortController();
    call(route, input, { signal: controller.signal }).then(
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
