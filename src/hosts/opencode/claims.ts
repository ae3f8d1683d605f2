import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all" },
  context: { works: "yes", how: "synthetic parts of the prompt, and the output of tools" },
  permissions: {
    works: "yes",
    how: 'beside the dialog; "allow for session" is not offered, its own rules allow more than was asked',
  },
  questions: { works: "yes" },
  waking: { works: "yes", how: "the plugin" },
  identity: { works: "yes", how: "the plugin names the session in an argument that only it sets" },
  reconciliation: { works: "no", how: "events that were missed while no plugin ran are not looked up" },
  import: { works: "yes", how: "`opencode.db`" },
};
