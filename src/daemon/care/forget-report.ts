import { forgetKinds, type ForgetReport } from "../../protocol/care.ts";
import type { Store } from "../../store/open-store.ts";
import type { Selection } from "../../store/selection.ts";

/** An empty report. */
export function makeReport(dryRun: boolean): ForgetReport {
  const none = Object.fromEntries(forgetKinds.map((kind) => [kind, 0]));
  return {
    dryRun,
    titles: [],
    turns: 0,
    removed: none as ForgetReport["removed"],
    waiting: 0,
    homeserver: null,
    logLines: 0,
    files: [],
    remaining: [],
    tookMs: 0,
  };
}

/** Counts the deleted rows of each kind. Open questions are not deleted yet. */
export function countRows(
  store: Store,
  selection: Selection,
): Pick<ForgetReport, "turns" | "removed" | "waiting"> {
  const sizes = Object.fromEntries(forgetKinds.map((kind) => [kind, selection[kind].size]));
  const removed = sizes as ForgetReport["removed"];
  const open = [...selection.questions].filter((id) => store.questions.byId(id)?.state === "open");
  removed.questions -= open.length;
  return { turns: selection.turns.size, removed, waiting: open.length };
}
