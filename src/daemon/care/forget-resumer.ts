import { repeat } from "../runtime/repeat.ts";
import type { Forgetter } from "./forgetter.ts";
import type { DaemonContext } from "../runtime/context.ts";

/**
 * Finishes deletions that could not be completed at once: open questions, an unreachable homeserver, a killed daemon.
 */
interface ForgetResumer {
  start(): void;
  stop(): void;
}

interface ForgetLaterDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  forgetter: Forgetter;
}

/** Delay of the first run: the homeserver starts after this component. */
const firstFinishMs = 2_000;
const finishMs = 60_000;
const questionsMs = 5_000;
/** Interval of rechecks: messages that were being sent have arrived by then. */
const recheckMs = 5_000;
/** After this long the question is forgotten even if the answer was not delivered or a card not updated. */
const patienceMs = 600_000;

export function openForgetResumer({ store, bus, log, clock, forgetter }: ForgetLaterDeps): ForgetResumer {
  const stops: (() => void)[] = [];

  /** Skips a call while a run is in progress: the next run finds whatever it missed. */
  function skipWhileRunning(work: () => Promise<unknown>): () => void {
    let isAtWork = false;
    return () => {
      if (isAtWork) return;
      isAtWork = true;
      work()
        .catch((error: unknown) => log.error("forgetting failed; it will be retried", { error }))
        .finally(() => (isAtWork = false));
    };
  }

  const forgetQuestions = skipWhileRunning(async () => {
    const over = store.questions.listToForget(clock() - patienceMs);
    const documents = over.map((id) => ({ kind: "question" as const, id }));
    if (documents.length > 0) await forgetter.forgetTarget({ by: "documents", documents });
  });

  const finish = skipWhileRunning(async () => {
    if (store.forgettings.all().length > 0) await forgetter.finishInterrupted();
  });

  const recheck = skipWhileRunning(forgetter.recheck);

  return {
    start() {
      const timer = setTimeout(finish, firstFinishMs).unref();
      stops.push(
        () => clearTimeout(timer),
        repeat(finishMs, finish, log).stop,
        repeat(questionsMs, forgetQuestions, log).stop,
        repeat(recheckMs, recheck, log).stop,
        bus.subscribe(({ event }) => {
          if (event.type === "question.settled") forgetQuestions();
        }),
      );
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
