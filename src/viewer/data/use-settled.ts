import { useEffect, useState } from "preact/hooks";

const pauseMs = 120;

/** Debounces the value, so that not every keystroke starts a search. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}
