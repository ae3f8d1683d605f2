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

/** The rows of one kind; the store calls notes observations. */
export function rowsOf(selection: Selection, kind: (typeof forgetKinds)[number]): Selection["titles"] {
  return selection[kind === "notes" ? "observations" : kind];
}

/** How many rows of each kind will be removed. Open questions are not removed yet. */
export function countRows(
  store: Store,
  selection: Selection,
): Pick<ForgetReport, "turns" | "removed" | "waiting"> {
  const sizes = Object.fromEntries(forgetKinds.map((kind) => [kind, rowsOf(selection, kind).size]));
  const removed = sizes as ForgetReport["removed"];
  const open = [...selection.questions].filter((id) => store.questions.byId(id)?.state === "open");
  removed.questions -= open.length;
  return { turns: selection.turns.size, removed, waiting: open.length };
}
