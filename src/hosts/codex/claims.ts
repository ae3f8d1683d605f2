import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: {
    works: "yes",
    how: "all; exit codes, patches through the shell and missed events from the rollout",
  },
  context: { works: "yes", how: "a developer message" },
  permissions: {
    works: "yes",
    how: "beside the dialog, where its background process runs the session; otherwise while you are away",
  },
  questions: { works: "yes", how: "where its background process runs the session" },
  waking: { works: "yes", how: "`codex queue`" },
  identity: { works: "yes", how: "`_meta.threadId`: each session has its own MCP server" },
  reconciliation: { works: "yes", how: "of sessions whose rollout has `item_completed` lines" },
  import: { works: "yes", how: "since version 0.44; archived sessions too" },
};
