import type { CompactState } from "../../protocol/care.ts";
import { toAppError } from "../../shared/errors.ts";
import { rewriteKey } from "../../store/open-store.ts";
import { type SliceDeps, repeatUntilDone } from "../runtime/run-in-slices.ts";
import type { Retention } from "./retention.ts";
import { fileSize } from "../../shared/regular-file.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Shrinks the database and optimises its index in the background. */
interface Compactor {
  /** Starts a run, or returns the state of the current one. */
  start(): CompactState;
  state(): CompactState;
  /** Waits for the current run. */
  stop(): Promise<void>;
}

interface CompactingDeps extends SliceDeps, Pick<DaemonContext, "log" | "clock"> {
  database: string;
  retention: Retention;
}

const idle: CompactState = {
  state: "idle",
  step: null,
  share: 0,
  bytesBefore: 0,
  bytesAfter: 0,
  eventsRemoved: 0,
  startedAt: null,
  endedAt: null,
  error: null,
};

export function openCompactor(deps: CompactingDeps): Compactor {
  const { store, log, clock, retention } = deps;
  const { upkeep } = store;
  let current: CompactState = idle;
  let running: Promise<void> = Promise.resolve();
  let isStopping = false;

  const size = (): number =>
    ["", "-wal"].reduce((sum, suffix) => sum + fileSize(`${deps.database}${suffix}`), 0);

  async function run(state: CompactState): Promise<void> {
    try {
      state.step = "raw events";
      state.eventsRemoved = await retention.run();
      state.step = "search index";
      await repeatUntilDone(deps, (isFirst) => upkeep.mergeIndex(isFirst) && !isStopping);
      state.step = "free pages";
      await release(state);
      state.step = "log";
      upkeep.optimize();
      upkeep.checkpoint(); // If a reader blocks it, a later checkpoint truncates the log.
      state.state = "done";
    } catch (thrown) {
      state.state = "failed";
      state.error = toAppError(thrown).message;
      log.error("not compacted", { error: thrown });
    }
    Object.assign(state, { step: null, bytesAfter: size(), endedAt: clock() });
    log.info("compacted", { ...state });
  }

  /** Releases a few pages at a time. A file that does not support this yet is rewritten once, at the next start. */
  async function release(state: CompactState): Promise<void> {
    const { freePages, isIncremental } = upkeep.measure();
    if (!isIncremental) store.meta.set(rewriteKey, "1");
    await repeatUntilDone(deps, () => {
      state.share = freePages === 0 ? 1 : 1 - upkeep.measure().freePages / freePages;
      return upkeep.releasePages() && !isStopping;
    });
  }

  return {
    start() {
      if (current.state === "running") return current;
      const state: CompactState = { ...idle, state: "running", bytesBefore: size(), startedAt: clock() };
      current = state;
      running = run(state);
      return state;
    },
    state: () => current,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
