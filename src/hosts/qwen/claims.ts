import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all" },
  context: { works: "yes" },
  permissions: {
    works: "partly",
    how: "while you are away: its hook runs before the dialog",
  },
  questions: { works: "no", how: "its hook can only decline them" },
  waking: { works: "no", how: "messages come with the next prompt or tool call" },
  identity: { works: "yes", how: "the process that started the server" },
  reconciliation: { works: "no", how: "lines of its transcripts do not name the prompt" },
  import: { works: "yes", how: "since version 0.5" },
};
