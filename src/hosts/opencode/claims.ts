import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all" },
  context: { works: "yes", how: "synthetic parts of the prompt, and the output of tools" },
  permissions: {
    works: "yes",
    how: 'beside the dialog; without "allow for session", because OpenCode would then allow more than the call it asked about',
  },
  questions: { works: "yes" },
  waking: { works: "yes", how: "the plugin" },
  identity: {
    works: "yes",
    how: "the plugin adds the session to the arguments of each call, after the model has written them",
  },
  reconciliation: { works: "no", how: "what happened while the plugin did not run is not recovered" },
  import: { works: "yes", how: "`opencode.db`" },
};
