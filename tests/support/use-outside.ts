import { afterAll, beforeAll } from "vitest";
import { openOutside, type Outside } from "./outside.ts";

/** One process of the person for all tests of a file. */
export function useOutside(): Omit<Outside, "close"> {
  let opened: Outside | undefined;
  beforeAll(async () => {
    opened = await openOutside();
  });
  afterAll(() => opened?.close());
  const outside = (): Outside => {
    if (!opened) throw new Error("only within a test");
    return opened;
  };
  return {
    call: (...args) => outside().call(...args),
    run: (...args) => outside().run(...args),
  };
}
