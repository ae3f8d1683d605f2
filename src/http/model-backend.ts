import type { SpendView, TrialView } from "../protocol/model.ts";

/** What the routes need of the model behind memory. */
export interface ModelBackend {
  /** The ledger of the last days, today included. */
  spend(days: number): SpendView;
  /** One small call, paid for like any other. */
  trial(): Promise<TrialView>;
}
