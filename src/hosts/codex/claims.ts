import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: {
    works: "yes",
    how: "all; exit codes, patches through the shell and missed events from the rollout",
  },
  context: { works: "yes", how: "a developer message" },
  permissions: {
    works: "partly",
    how: "while you are away: its hook runs before the dialog and would keep you from answering",
  },
  questions: { works: "no", how: "its hook can only allow or deny one call" },
  waking: { works: "yes", how: "`codex queue`" },
  identity: { works: "yes", how: "`_meta.threadId`: each session has its own MCP server" },
  reconciliation: { works: "yes", how: "of versions that write `item_completed` lines" },
  import: { works: "yes", how: "of versions that write `item_completed` lines" },
};
