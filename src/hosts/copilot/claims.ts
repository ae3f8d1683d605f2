import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all; the last message from the transcript" },
  context: { works: "yes" },
  permissions: {
    works: "no",
    how: "its permission hook does not show whether Copilot will ask you; you are notified once it asks",
  },
  questions: { works: "no" },
  waking: { works: "no", how: "messages come with the next prompt or tool call" },
  identity: { works: "yes", how: "the process that started the server" },
  reconciliation: { works: "partly", how: "the last message of a turn" },
  import: { works: "yes" },
};
