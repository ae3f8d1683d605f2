import { setTimeout as delay } from "node:timers/promises";
import type { CliContext } from "../command.ts";
import type { Style } from "../style.ts";
import type { Invite } from "./demo-race.ts";
import { wrapText } from "./describe.ts";

/** The address expires after this time. */
const timeoutMs = 60_000;
const pollMs = 200;

/** Asks the user to answer in the browser; undefined without a terminal. */
export function makeInvitation(
  { isTerminal, isJson, waitForEnter, print, drawProgress }: CliContext,
  style: Style,
  signal: AbortSignal,
): { invite: Invite; waitedMs(): number } | undefined {
  if (!isTerminal || isJson || !waitForEnter) return undefined;
  let waitedMs = 0;
  return {
    waitedMs: () => waitedMs,
    async invite(url, isSettled) {
      const startedAt = performance.now();
      const done = new AbortController();
      let isOver = false;
      void waitForEnter(AbortSignal.any([signal, done.signal])).finally(() => {
        isOver = true;
      });
      print(
        wrapText(
          "\nAnswer it in your browser. Open this address; it works once, within a minute:",
          style,
          "",
        ),
      );
      print(`\n  ${url}\n`);
      try {
        while (!isOver && !(await isSettled())) {
          const leftMs = timeoutMs - (performance.now() - startedAt);
          if (leftMs <= 0) break;
          drawProgress(`Waiting for you, ${Math.ceil(leftMs / 1000)} s … (Enter: let the demo answer)`);
          await delay(pollMs, undefined, { signal });
        }
      } finally {
        done.abort();
        drawProgress("");
        waitedMs = performance.now() - startedAt;
      }
    },
  };
}
